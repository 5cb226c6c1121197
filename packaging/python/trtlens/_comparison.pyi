# Of `trtlens schema compare`, by scripts/python_types.
from collections.abc import Iterator, Mapping
from typing import overload
from typing import Any, Literal, TypeAlias, TypedDict

from typing_extensions import NotRequired


class Tool(TypedDict):
    name: Literal['trtlens']
    version: str


class Input(TypedDict):
    path: str
    kind: Literal['log', 'layer_info', 'profile', 'times', 'output', 'tuner', 'metadata', 'unknown']
    bytes: int
    lines: int
    run: NotRequired[int | list[int]]
    why: NotRequired[str]


Confidence: TypeAlias = Literal['measured', 'inferred', 'guessed']


Outcome: TypeAlias = Literal['passed', 'failed', 'truncated', 'unknown']


class Options(TypedDict):
    precision: list[str] | None
    strongly_typed: bool


class TacticRecord(TypedDict):
    layer: str | None
    formats: str | None
    runner: str | None
    name: str | None
    id: str | None
    time_ms: float | None
    skipped: str | None
    file: str | None
    line: int


class Evidence(TypedDict):
    file: NotRequired[str]
    line: NotRequired[int]
    text: NotRequired[str]
    note: NotRequired[str]
    layer: NotRequired[str]
    metric: NotRequired[str]
    value: NotRequired[float | None]


Fingerprint: TypeAlias = str


class Query(TypedDict):
    low: float
    high: float


class FirstStep(TypedDict):
    what: str
    low: float
    high: float


class GainMs(TypedDict):
    low: float
    high: float
    basis: str
    query: Query | None
    first_step: NotRequired[FirstStep]


class Finding(TypedDict):
    rule: str
    cause: str
    category: str
    severity: Literal['fatal', 'major', 'moderate', 'minor', 'info']
    confidence: Confidence
    fingerprint: Fingerprint
    stake_ms: float | None
    gain_ms: GainMs | None
    gain_unknown: str | None
    title: str
    why: str
    evidence: list[Evidence]
    remedies: list[str]
    next_check: str | None
    commands: NotRequired[list[str]]
    sources: list[str]
    layers: list[str]
    where: NotRequired[list[str]]


class GoneItem(TypedDict):
    fingerprint: Fingerprint
    rule: str
    about: str
    line: int


class Other(TypedDict):
    build: str
    failed: bool
    counted: list[Fingerprint]
    findings: list[Finding]
    accepted: list[Finding]


class Gate(TypedDict):
    fail_on: str
    failed: bool
    counted: list[Fingerprint]
    regressions: list[Finding]
    accepted: list[Finding]
    gone: list[GoneItem]
    others: NotRequired[list[Other]]


class Diagnostic(TypedDict):
    id: str
    severity: Literal['note', 'warning', 'error']
    file: str | None
    line: int
    column: int
    message: str


class Tensorrt(TypedDict):
    version: str
    build: int | None
    source: Literal['banner', 'log', 'guessed']


class Gpu(TypedDict):
    name: str | None
    compute_capability: str | None
    sms: int | None
    memory_bytes: int | None
    compute_clock_ghz: float | None
    memory_clock_ghz: float | None
    memory_bus_bits: int | None


class ProfileShapes(TypedDict):
    profile: int
    min: list[int] | None
    opt: list[int] | None
    max: list[int] | None


class IoTensor(TypedDict):
    name: str
    mode: Literal['input', 'output']
    dims: list[int] | None
    type: str | None
    profiles: list[ProfileShapes]


class Deserialization(TypedDict):
    first_ms: float | None
    average_ms: float | None
    iterations: int | None
    bandwidth_gb_per_s: float | None


class Inference(TypedDict):
    batch: int | None
    streams: int | None
    engine_streams: int | None
    aux_streams: int | None
    cuda_graph: bool | None
    data_transfers: bool | None
    spin_wait: bool | None
    opt_profile: int | None
    deserialization: Deserialization | None


class OptimizationProfile(TypedDict):
    profile: int
    input: str
    shape_tensor: bool
    min: list[int] | None
    opt: list[int] | None
    max: list[int] | None


class Coverage(TypedDict):
    lines: int
    recognised: int
    noise: int
    continuation: int
    malformed: int
    unknown: int
    foreign: int


class Message(TypedDict):
    severity: Literal['error', 'warning']
    text: str
    count: int
    file: NotRequired[str]
    line: int


class Stats(TypedDict):
    min: float | None
    max: float | None
    mean: float | None
    median: float | None
    percentiles: dict[str, float]


class Performance(TypedDict):
    throughput_qps: float | None
    samples_per_s: float | None
    latency_ms: Stats | None
    gpu_compute_ms: Stats | None
    enqueue_ms: Stats | None
    h2d_ms: Stats | None
    d2h_ms: Stats | None
    queries: int | None
    warmup_queries: int | None
    host_walltime_s: float | None
    gpu_compute_total_s: float | None


class Precision(TypedDict):
    compute: Literal['FP32', 'TF32', 'FP16', 'BF16', 'FP8', 'INT8', 'INT4', 'FP4', 'INT32', 'INT64', 'BOOL', 'mixed', 'unknown'] | None
    evidence: list[str]
    confidence: Literal['measured', 'inferred', 'guessed']


class Tensor(TypedDict):
    name: str
    dims: list[int] | None
    type: str | None
    format: str | None


class Tactic(TypedDict):
    name: str | None
    id: str | None


class LayerTime(TypedDict):
    mean_ms: float
    median_ms: float | None
    share: float | None


class Layer(TypedDict):
    index: int
    name: str
    label: str
    layer_type: str | None
    parameter_type: str | None
    role: str
    precision: Precision
    inputs: list[Tensor]
    outputs: list[Tensor]
    tactic: Tactic | None
    origin: str | None
    opt_profile: int
    onnx_nodes: list[str]
    weights_bytes: int | None
    time: LayerTime | None
    found_in: list[Literal['layer_info', 'profile', 'log']]


class ShareOfPrecision(TypedDict):
    precision: Literal['FP32', 'TF32', 'FP16', 'BF16', 'FP8', 'INT8', 'INT4', 'FP4', 'INT32', 'INT64', 'BOOL', 'mixed', 'unknown', 'none']
    layers: int
    time_ms: float | None
    share: float | None


class ShareOfType(TypedDict):
    type: str
    layers: int
    time_ms: float | None
    share: float | None


class Totals(TypedDict):
    layers: int
    timed_layers: int
    profile_sum_ms: float | None
    unattributed_ms: float | None
    by_precision: list[ShareOfPrecision]
    by_type: list[ShareOfType]


class MissingScale(TypedDict):
    tensor: str
    layers: list[str]
    reformats: list[str]
    time_ms: float | None
    matters: bool | None
    file: NotRequired[str]
    line: int


class Fallback(TypedDict):
    layer: str
    time_ms: float | None
    why: str
    evidence: list[str]


class SideOfReformat(TypedDict):
    type: str | None
    format: str | None


Reformat = TypedDict(
    'Reformat',
    {
        'layer': str,
        'from': SideOfReformat | None,
        'to': SideOfReformat | None,
        'bytes': int | None,
        'time_ms': float | None,
        'cause': str | None,
        'removable': bool | None,
    },
)


class AccountRow(TypedDict):
    use: Literal['narrow', 'wide', 'unknown-arithmetic', 'wide-conversion', 'conversion', 'layout', 'unknown-format', 'border', 'layout-work', 'other', 'region', 'unattributed']
    detail: str | None
    time_ms: float
    share: float
    layers: list[str]


class Account(TypedDict):
    narrowest: str | None
    narrowest_from: Literal['options', 'layers']
    not_allowed: list[str] | None
    arithmetic_ms: float
    wide_ms: float
    conversions_ms: float
    unknown_ms: float
    ceiling_wide: float | None
    ceiling_conversions: float | None
    rows: list[AccountRow]


class SkippedTactics(TypedDict):
    memory: int
    exception: int
    time_limit: int
    no_time: int
    other: int


class Alternative(TypedDict):
    types: str
    formats: str
    tactic: str | None
    ms: float


class Race(TypedDict):
    layer: str
    chosen: str | None
    chosen_ms: float
    runner_up: str | None
    runner_up_ms: float | None
    margin: float | None
    types: str | None
    coin_flip: bool
    from_cache: bool
    alternatives: list[Alternative]


class OperatorRace(TypedDict):
    operator: str
    onnx_nodes: list[str]
    region: str | None
    types: str | None
    formats: str | None
    timed: int
    fastest: str | None
    fastest_ms: float | None
    runner_up: str | None
    runner_up_ms: float | None
    file: str | None
    line: int


class BuildStage(TypedDict):
    name: str
    s: float


class TimingCache(TypedDict):
    entries: int | None
    hits: int | None
    races: int


class UnfinishedBuild(TypedDict):
    stage: str
    layer: str | None
    layers_done: int | None
    layers: int | None
    file: str | None
    line: int


class LayerTuning(TypedDict):
    layer: str
    s: float | None
    tactics: int
    skipped: int
    combinations: int
    tactics_ms: float


class BuildTime(TypedDict):
    engine_s: float | None
    load_s: float | None
    stages: list[BuildStage]
    clock: Literal['runners', 'stamps'] | None
    layers_s: float | None
    conversions_s: float | None
    conversion_races: int
    timing_cache: TimingCache
    unfinished: UnfinishedBuild | None
    slowest_layers: list[LayerTuning] | None


class LayerMemory(TypedDict):
    layer: str
    scratch_bytes: int | None
    device_persistent_bytes: int
    host_persistent_bytes: int


class MemoryStep(TypedDict):
    step: str
    gpu_change_bytes: int
    cpu_change_bytes: int
    gpu_bytes: int | None
    cpu_bytes: int | None
    line: int


class Memory(TypedDict):
    engine_bytes: int | None
    weights_bytes: int | None
    activation_bytes: int | None
    scratch_bytes: int | None
    host_persistent_bytes: int | None
    device_persistent_bytes: int | None
    device_bytes: int | None
    context_bytes: int | None
    peak_gpu_bytes: int | None
    peak_cpu_bytes: int | None
    peak_process_cpu_bytes: int | None
    layers: list[LayerMemory]
    steps: list[MemoryStep]


class LayerBelowFloor(TypedDict):
    layer: str
    time_ms: float


class Reconciliation(TypedDict):
    layers_ms: float
    launches: int
    gpu_compute_ms: float | None
    latency_ms: float | None
    enqueue_ms: float | None
    h2d_ms: float | None
    d2h_ms: float | None
    overhead_per_launch_ms: float | None
    launch_floor_ms: float
    below_floor: int
    below_floor_ms: float
    below_floor_layers: list[LayerBelowFloor]
    transfer_share: float | None
    reasons: list[str]


class OnnxTime(TypedDict):
    node: str | None
    layers: int
    time_ms: float
    alone_ms: float


class ModuleRow(TypedDict):
    module: str
    part: Literal['whole', 'own', 'others']
    layers: int
    time_ms: float


class WithoutModule(TypedDict):
    layers: int
    time_ms: float


class Module(TypedDict):
    module: str
    depth: int
    layers: int
    time_ms: float
    own_layers: int
    own_ms: float


class Modules(TypedDict):
    rows: list[ModuleRow]
    without: WithoutModule
    tree: list[Module]


class LayerRoof(TypedDict):
    layer: str
    time_ms: float
    roof_ms: float
    efficiency: float
    bound: Literal['memory', 'compute', 'launch']
    macs: float
    bytes: float
    estimated: bool
    tensor_cores: bool
    sparse: bool
    misfit: str | None


class Roofline(TypedDict):
    device: str | None
    unknown: str | None
    source: str | None
    bandwidth_gb_per_s: NotRequired[float]
    bandwidth_from: NotRequired[Literal['log', 'table']]
    clock_from: NotRequired[Literal['log', 'table']]
    time_ms: NotRequired[float]
    roof_ms: NotRequired[float]
    layers_without_work: NotRequired[int]
    layers_without_peak: NotRequired[int]
    layers: list[LayerRoof]


class LadderStep(TypedDict):
    finding: int
    rule: str
    low_ms: float
    high_ms: float
    query_low_ms: float | None
    query_high_ms: float | None
    left_low_ms: float
    left_high_ms: float


class Ladder(TypedDict):
    now_ms: float
    steps: list[LadderStep]
    roof_ms: float | None
    roof_precision: str | None


Dla = TypedDict(
    'Dla',
    {
        'from': Literal['engine', 'log'],
        'dla_layers': int,
        'gpu_layers': int,
        'transitions': int | None,
        'dla_ms': float | None,
        'gpu_ms': float | None,
    },
)


class Stream(TypedDict):
    stream: int | None
    layers: int
    time_ms: float


class Placement(TypedDict):
    worker_streams: int | None
    dla: Dla | None
    streams: list[Stream]


class TuningIteration(TypedDict):
    iteration: int | None
    build_route: str | None
    outcome: Literal['passed', 'failed', 'truncated', 'unknown']
    crashed: bool | None
    error: str | None
    gpu_time_ms: float | None
    gpu_compute_ms: float | None
    accuracy_loss: float | None
    accuracy_losses: dict[str, float]
    accuracy_failed: bool | None
    run: int | None


class Tuning(TypedDict):
    routes: int | None
    succeeded: int | None
    attempted: int | None
    timeout_s: float | None
    best: int | None
    best_route: str | None
    best_gpu_time_ms: float | None
    expression: str | None
    search: str | None
    accuracy_algorithm: str | None
    command: str | None
    iterations: list[TuningIteration]


class Output(TypedDict):
    name: str
    dims: list[int] | None
    values: int
    nan: int
    inf: int
    min: float | None
    max: float | None


class AccuracyLoss(TypedDict):
    name: str
    algorithm: str
    loss: float | None
    threshold: float | None


class FindingCounts(TypedDict):
    fatal: int
    major: int
    moderate: int
    minor: int
    info: int


class FirstFinding(TypedDict):
    rule: str
    severity: Literal['fatal', 'major', 'moderate', 'minor', 'info']
    title: str
    stake_ms: float | None


class BuildRow(TypedDict):
    number: int
    name: str
    outcome: Literal['passed', 'failed', 'truncated', 'unknown']
    gpu_compute_ms: float | None
    profile_ms: float | None
    precision: dict[str, Any] | None
    findings: FindingCounts
    first_finding: FirstFinding | None


class Difference(TypedDict):
    what: Literal['option', 'gpu', 'version', 'clock', 'default', 'network', 'shape', 'timing', 'repetitions']
    name: str
    base: str | None
    candidate: str | None
    matters: bool


class LeftOutRun(TypedDict):
    side: Literal['base', 'candidate']
    name: str | None
    why: str | None


class Settle(TypedDict):
    runs: int | None
    obstacle: str | None
    commands: list[str | None]


NItem: TypeAlias = int


Run: TypeAlias = int


RunsLeftOutItem: TypeAlias = int


class EngineVerdict(TypedDict):
    metric: str
    base: float | None
    candidate: float | None
    delta: float | None
    ratio: float | None
    ci95: list[float] | None
    p_value: float | None
    n: list[NItem]
    runs: list[Run]
    runs_left_out: list[RunsLeftOutItem]
    left_out: list[LeftOutRun]
    margin: float
    noise_floor: float
    noise_floor_from: Literal['assumed', 'given', 'repetitions', 'history', 'queries', 'threshold']
    scatter: float | None
    method: str | None
    reason: str | None
    notes: list[str]
    verdict: Literal['regressed', 'improved', 'no_change', 'cannot_tell']
    settle: Settle | None
    confirm: Settle | None


class LayerGroup(TypedDict):
    base_layers: list[str]
    candidate_layers: list[str]
    how: Literal['onnx', 'tensors', 'signature', 'name', 'only_base', 'only_candidate']
    confidence: float
    base_ms: float | None
    candidate_ms: float | None
    delta_ms: float | None
    precision: list[str | None]
    verdict: Literal['regressed', 'improved', 'no_change', 'cannot_tell']
    p_value: float | None
    why: list[str]


Launch: TypeAlias = int | None


Reformat1: TypeAlias = int | None


QdqKernel: TypeAlias = int | None


ProfiledRun: TypeAlias = int


class Summary(TypedDict):
    aligned_share_base: float | None
    aligned_share_candidate: float | None
    launches: list[Launch]
    reformats: list[Reformat1]
    qdq_kernels: list[QdqKernel]
    profiled_runs: list[ProfiledRun]


Records: TypeAlias = list[TacticRecord]


class Tactics(TypedDict):
    timed: int
    layers: int
    skipped: int
    skipped_for: SkippedTactics
    coin_flips: int
    coin_flip_ms: float | None
    races: list[Race]
    in_regions: list[OperatorRace]
    records: NotRequired[Records]


class Build(TypedDict):
    tensorrt: Tensorrt | None
    producer: str
    outcome: Literal['passed', 'failed', 'truncated', 'unknown']
    gpu: Gpu | None
    io_tensors: list[IoTensor]
    inference: Inference
    plan_version: str | None
    optimization_profiles: list[OptimizationProfile]
    banner: dict[str, str]
    command: str | None
    commands: list[str]
    options: Options
    coverage: Coverage
    messages: list[Message]
    performance: Performance
    layers: list[Layer]
    totals: Totals
    missing_scale: list[MissingScale]
    fp32_fallback: list[Fallback] | None
    reformats: list[Reformat]
    account: Account | None
    tactics: Tactics | None
    build_time: BuildTime
    memory: Memory
    reconciliation: Reconciliation | None
    onnx_times: list[OnnxTime]
    modules: Modules | None
    roofline: Roofline | None
    ladder: Ladder | None
    placement: Placement
    tuning: Tuning | None
    outputs: list[Output]
    accuracy_losses: list[AccuracyLoss]


class Side(TypedDict):
    build: Build
    inputs: list[Input]


class Report(TypedDict):
    schema_version: Literal[1]
    tool: Tool
    base: Side
    candidate: Side
    findings: list[Finding]
    gate: NotRequired[Gate]
    diagnostics: list[Diagnostic]
    comparable: bool
    not_comparable: list[str]
    forced: bool
    same_files: bool
    differences: list[Difference]
    engine: EngineVerdict
    groups: list[LayerGroup]
    cause: str | None
    summary: Summary


class Items(Mapping[str, Any]):
    @overload
    def __getitem__(self, key: Literal['schema_version']) -> Literal[1]: ...
    @overload
    def __getitem__(self, key: Literal['tool']) -> Tool: ...
    @overload
    def __getitem__(self, key: Literal['base']) -> Side: ...
    @overload
    def __getitem__(self, key: Literal['candidate']) -> Side: ...
    @overload
    def __getitem__(self, key: Literal['findings']) -> list[Finding]: ...
    @overload
    def __getitem__(self, key: Literal['gate']) -> Gate: ...
    @overload
    def __getitem__(self, key: Literal['diagnostics']) -> list[Diagnostic]: ...
    @overload
    def __getitem__(self, key: Literal['comparable']) -> bool: ...
    @overload
    def __getitem__(self, key: Literal['not_comparable']) -> list[str]: ...
    @overload
    def __getitem__(self, key: Literal['forced']) -> bool: ...
    @overload
    def __getitem__(self, key: Literal['same_files']) -> bool: ...
    @overload
    def __getitem__(self, key: Literal['differences']) -> list[Difference]: ...
    @overload
    def __getitem__(self, key: Literal['engine']) -> EngineVerdict: ...
    @overload
    def __getitem__(self, key: Literal['groups']) -> list[LayerGroup]: ...
    @overload
    def __getitem__(self, key: Literal['cause']) -> str | None: ...
    @overload
    def __getitem__(self, key: Literal['summary']) -> Summary: ...
    @overload
    def __getitem__(self, key: str) -> Any: ...
    def __iter__(self) -> Iterator[str]: ...
    def __len__(self) -> int: ...
