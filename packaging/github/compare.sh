#!/usr/bin/env bash
# Step of action.yml: compares, annotates, writes the summary, and updates its comment on the pull request. Its exit status is
# that of `trtlens compare`, whether or not it could comment.
set -euo pipefail

comment=$RUNNER_TEMP/trtlens.md
rm -f "$comment" "$comment.marked"
options=()
while IFS= read -r line; do
  line=${line//$'\r'/}
  line=${line#"${line%%[![:space:]]*}"}
  line=${line%"${line##*[![:space:]]}"}
  [[ -z $line ]] || options+=("$line")
done <<<"${OPTIONS:-}"
status=0
trtlens compare "$BASE" "$CANDIDATE" --format github "${options[@]}" \
  -o "step-summary:$GITHUB_STEP_SUMMARY" -o "markdown:$comment" || status=$?

# One comment for each pair that is compared: a later run finds it by its first line.
write_comment() {
  local mark known comments=repos/$GITHUB_REPOSITORY/issues
  mark="<!-- trtlens compare $(printf '%s\n' "$BASE" "$CANDIDATE" | sha256sum | cut -c 1-16) -->"
  printf '%s\n' "$mark" | cat - "$comment" >"$comment.marked"
  known=$(gh api --paginate "$comments/$PULL_REQUEST/comments" \
    --jq ".[] | select(.user.type == \"Bot\" and (.body | startswith(\"$mark\"))) | .id") || return 1
  known=${known%%$'\n'*}
  if [[ -n $known ]]; then
    gh api --silent --method PATCH "$comments/comments/$known" -F "body=@$comment.marked"
  else
    gh api --silent --method POST "$comments/$PULL_REQUEST/comments" -F "body=@$comment.marked"
  fi
}
if [[ ${COMMENT:-} == true && -n ${PULL_REQUEST:-} && -s $comment ]] && ! write_comment; then
  echo '::warning title=trtlens::no comment on the pull request: it needs the permission pull-requests%3A write'
fi
exit "$status"
