#!/usr/bin/env bash
# Step of action.yml: compares, annotates, writes the summary, and updates its comment on the pull request. Its exit status is
# that of `trtlens compare`.
set -euo pipefail

mapfile -t options < <(grep -v '^[[:space:]]*$' <<<"${OPTIONS:-}" || true)
comment=$RUNNER_TEMP/trtlens.md
status=0
trtlens compare "$BASE" "$CANDIDATE" --format github "${options[@]}" \
  -o "step-summary:$GITHUB_STEP_SUMMARY" -o "markdown:$comment" || status=$?

if [[ ${COMMENT:-} == true && -n ${PULL_REQUEST:-} && -s $comment ]]; then
  mark='<!-- trtlens compare -->'  # by which a later run finds its comment
  printf '%s\n' "$mark" | cat - "$comment" >"$comment.marked"
  comments=repos/$GITHUB_REPOSITORY/issues
  known=$(gh api --paginate "$comments/$PULL_REQUEST/comments" \
    --jq ".[] | select(.user.type == \"Bot\" and (.body | startswith(\"$mark\"))) | .id" | head -n 1)
  if [[ -n $known ]]; then
    gh api --silent --method PATCH "$comments/comments/$known" -F "body=@$comment.marked"
  else
    gh api --silent --method POST "$comments/$PULL_REQUEST/comments" -F "body=@$comment.marked"
  fi
fi
exit "$status"
