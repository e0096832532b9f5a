#!/usr/bin/env bash
# Takes the pictures of the page for the README: a service of its own, in which eight days of a log are booked, see seed.mjs. Takes
# twenty minutes, since the plan is to have a past.
#
#   src/test/page/pictures.sh SDSC-SP2-1998-4.2-cln.swf.gz docs/reference/page
#
# Wants target/berth.jar, chromium, and npm, for playwright-core.
set -euo pipefail

log=${1:?the log}
out=${2:?where the pictures go}
here=$(cd "$(dirname "$0")" && pwd)
java=${JAVA_HOME:+$JAVA_HOME/bin/}java
work=$(mktemp -d)
port=$((20000 + RANDOM % 10000))
url=http://localhost:$port
token=pictures-$RANDOM$RANDOM$RANDOM
trap 'kill "$service"; wait "$service" || true; rm -rf "$work"' EXIT

npm install --silent --prefix "$work" playwright-core@1.65.1
BERTH_ADMIN_TOKEN=$token "$java" -jar target/berth.jar --server.port="$port" --berth.data-dir="$work/data" >"$work/log" 2>&1 &
service=$!
until curl -sf "$url/actuator/health/readiness" >/dev/null; do
  kill -0 "$service" || { cat "$work/log" >&2; exit 1; }
  sleep 0.2
done

node "$here/seed.mjs" "$url" "$token" "$log"
sleep 1140

now=$(date +%s)
at() { echo "$((now + 3600 * $1))000"; }
mkdir -p "$out"
picture() { node "$here/pictures.mjs" "$work" "$url/#/$1" "$token" "$out/$2" "$3"; }
picture "find?cluster=sp2&pes=16&duration=2h&from=$(at 12)&to=$(at 60)" find.png 1250
picture "plan?cluster=rack&from=$((now - 20 * 60))000&to=$((now + 100 * 60))000" plan.png 1010
