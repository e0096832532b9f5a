#!/usr/bin/env bash
# Takes the pictures of the documents from a demo, and the animation of the README:
#
#   src/test/page/pictures.sh docs/reference/page
#
# Wants target/berth.jar, chromium, ffmpeg, and npm for playwright-core. Nothing may listen on port 8080.
set -euo pipefail

out=${1:?where the pictures go}
here=$(cd "$(dirname "$0")" && pwd)
java=${JAVA_HOME:+$JAVA_HOME/bin/}java
work=$(mktemp -d)
demo=
trap '[[ -z $demo ]] || { kill "$demo"; wait "$demo" || true; }; rm -rf "$work"' EXIT

npm install --silent --prefix "$work" playwright-core@1.65.1
BERTH_DEMO=true "$java" -jar target/berth.jar >"$work/log" 2>&1 &
demo=$!
until grep -q "The demo is ready" "$work/log"; do
  kill -0 "$demo" || { cat "$work/log" >&2; exit 1; }
  sleep 0.5
done

mkdir -p "$out"
node "$here/pictures.mjs" "$work" http://localhost:8080 "$out"
# ten frames a second, with the colours that occur in them
ffmpeg -loglevel error -y -framerate 10 -i "$work/frames/%03d.png" \
  -vf "scale=900:-1:flags=lanczos,split[a][b];[a]palettegen=max_colors=96:stats_mode=diff[p];[b][p]paletteuse=dither=none:diff_mode=rectangle" "$out/berth.gif"
