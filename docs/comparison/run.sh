#!/bin/sh
# Compares memport with rulesync and ruler, Claude Code to Codex, and prints Markdown;
# with `--write` it puts the figures into comparison.md.
# Needs cargo, node with npm, git and Python 3. Nothing outside a temporary folder changes.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
(cd "$here/../.." && cargo build --release --quiet -p memport --locked)
target=${CARGO_TARGET_DIR:-$here/../../target}
mkdir "$work/tools" "$work/runs"
(cd "$work/tools" && npm install --silent --no-audit --no-fund rulesync@17.0.0 @intellectronica/ruler@0.3.44)
page=
[ "${1:-}" = --write ] && page=$here/../comparison.md
python3 "$here/compare.py" "$work/runs" "$work/tools/node_modules" "$target/release/memport" ${page:+"$page"}
