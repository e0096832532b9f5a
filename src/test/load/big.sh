#!/usr/bin/env bash
# Measures a jar of Berth with a large journal:
#
#   src/test/load/big.sh target/berth.jar [ENDED LIVE]
#
# makes a data directory with LIVE (100,000) coming reservations and ENDED (1,000,000) ended ones, by a test program (HistoryGenerator, with
# Maven). With DATA, it uses that directory instead, whose tables must already follow its journal. It starts the jar STARTS (3) times, and
# prints the time until a probe succeeds, and the resident memory of Java and PostgreSQL 30 s later. Then it prints how long `export`,
# `verify` and `import` take. JDK_JAVA_OPTIONS sets Java's flags.
set -euo pipefail

jar=$(realpath "${1:?the jar to measure}")
ended=${2:-1000000} live=${3:-100000}
here=$(cd "$(dirname "$0")/../../.." && pwd)
java=${JAVA_HOME:+$JAVA_HOME/bin/}java
work=$(mktemp -d)
data=${DATA:-$work/data}
service=
export BERTH_DATA_DIR=$data

stop() {
  [[ -z $service ]] && return
  kill "$service"
  wait "$service" || true
  service=
}
trap 'stop; rm -rf "$work"' EXIT

print_figure() { printf '%-32s %10s\n' "$1" "$2"; }

timed() {
  local began=$EPOCHREALTIME
  "${@:2}" >"$work/output" || { cat "$work/output" >&2; exit 1; }
  print_figure "$1, s" "$(awk "BEGIN { printf \"%.1f\", $EPOCHREALTIME - $began }")"
}

port=$((20000 + RANDOM % 10000))
while (: <>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; do port=$((20000 + RANDOM % 10000)); done

probed() {
  curl -sf -o "$work/probe.json" "http://127.0.0.1:$port/api/v1/probes" -H "Authorization: Bearer $(<"$data/admin.token")" \
    -H 'Content-Type: application/json' -d '{"terms":{"duration":"PT2H","pes":32},"clusters":["history"]}'
}

# starts the jar, and waits until a probe succeeds
served() {
  "$java" -jar "$jar" --server.port="$port" >"$work/service.log" 2>&1 &
  service=$!
  until [[ -s $data/admin.token ]] && probed; do
    kill -0 "$service" || { cat "$work/service.log" >&2; exit 1; }
    sleep 0.05
  done
}

if [[ ! -e $data ]]; then
  timed 'journal made' mvn -f "$here/pom.xml" -B -ntp -q -Pbenchmarks process-test-classes exec:exec \
    -Dbenchmarks.main=berth.store.HistoryGenerator -Dbenchmarks="$ended $live"
  timed 'rebuild' "$java" -jar "$jar" rebuild
fi
for ((start = 1; start <= ${STARTS:-3}; start++)); do
  timed "start $start" served
  sleep 30
  postgres=$(head -n 1 "$data/postgresql/postmaster.pid")
  print_figure 'Java resident, MB' "$(awk '/^VmRSS/ { printf "%.0f", $2 / 1024 }' "/proc/$service/status")"
  # memory that its processes share counts once
  mapfile -t processes < <(echo "$postgres"; pgrep -P "$postgres")
  print_figure 'PostgreSQL resident, MB' \
    "$(awk '/^Pss:/ { sum += $2 } END { printf "%.0f", sum / 1024 }' $(printf '/proc/%s/smaps_rollup ' "${processes[@]}"))"
  stop
done
timed 'export, not read back' "$java" -jar "$jar" export --no-verify --out "$work/all.zip"
print_figure 'its size, MB' "$(du -m "$work/all.zip" | cut -f1)"
timed 'verify' "$java" -jar "$jar" verify "$work/all.zip"
BERTH_DATA_DIR=$work/imported timed 'import' "$java" -jar "$jar" import "$work/all.zip"
