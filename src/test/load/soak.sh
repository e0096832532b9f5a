#!/usr/bin/env bash
# Checks, minute by minute, whether the resources of a jar of Berth stay constant under load:
#
#   src/test/load/soak.sh target/berth.jar [MINUTES]
#
# starts the jar with a new data directory, and measures the highest rate of reserves. Then it sends reserves at half that rate for MINUTES
# (30), together with 200 probes a second. Calls are sent when they are due, whatever the response times. Runs take a minute and begin AHEAD
# (PT1M), so that after two minutes as many runs end as are reserved. If anything except the data directory grows after that, it leaks.
# After each minute, the script collects the heap and counts the resources. In the environment also: WARM_UP (70), the seconds of load
# before; and RATE, the reserves a second, instead of half the highest rate. load.sh makes the calls.
set -euo pipefail

jar=${1:?the jar to watch}
minutes=${2:-30}
warm_up=${WARM_UP:-70} ahead=${AHEAD:-PT1M}
bin=${JAVA_HOME:+$JAVA_HOME/bin/}
work=$(mktemp -d)
data=$work/data
service=

stop() {
  [[ -z $service ]] && return
  kill "$service"
  wait "$service" || true
  service=
}
trap 'stop; rm -rf "$work"' EXIT

port=$((20000 + RANDOM % 10000))
while (: <>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; do port=$((20000 + RANDOM % 10000)); done
url=http://127.0.0.1:$port

load() {
  "$(dirname "$0")/load.sh" --url "$url" --token-file "$data/admin.token" --ahead "$ahead" "$@"
}

# prints the last column of a line in a call's block of the output of load.sh
measured() { awk -v call="$1" -v name="$2" 'NF == 3 && $2 == "warm-up" { block = $1 } block == call && index($0, name " ") == 1 { print $NF }' "$work/load"; }

# prints the heap in MB after a full collection
heap() {
  "${bin}jcmd" "$service" GC.run >"$work/jcmd"
  "${bin}jstat" -gc "$service" | awk 'NR == 1 { for (i = 1; i <= NF; i++) name[i] = $i }
    NR == 2 { for (i = 1; i <= NF; i++) if (name[i] ~ /^(S0U|S1U|EU|OU)$/) used += $i; printf "%.0f", used / 1024 }'
}

resident() { awk '/^VmRSS/ { printf "%.0f", $2 / 1024 }' "/proc/$1/status"; }

sockets() { find "/proc/$service/fd" -lname 'socket:*' | wc -l; }

size() { du -sm --exclude=backups "$data" | cut -f1; }

row() { printf '%7s %10s %10s %10s %8s %8s %10s %8s %16s %16s %8s\n' "$@"; }

print_minute() {
  row "$1" "$(heap)" "$(resident "$service")" "$(resident "$(head -n 1 "$data/postgresql/postmaster.pid")")" \
    "$(find "/proc/$service/task" -mindepth 1 -maxdepth 1 | wc -l)" "$(sockets)" "$(size)" "${@:2}"
}

"${bin}java" -jar "$jar" --server.port="$port" --berth.data-dir="$data" >"$work/service.log" 2>&1 &
service=$!
until curl -sf -o "$work/health" "$url/actuator/health"; do
  kill -0 "$service" || { cat "$work/service.log" >&2; exit 1; }
  sleep 0.2
done

rate=${RATE:-}
load --call reserve --call probe@200 --warm-up PT0S --duration "PT${warm_up}S" >"$work/load" || cat "$work/load" >&2
if [[ -z $rate ]]; then
  load --call reserve --call probe@200 --warm-up PT5S --duration PT20S >"$work/load" || cat "$work/load" >&2
  rate=$(awk "BEGIN { printf \"%.0f\", $(measured reserve requests/s) / 2 }")
fi
echo "$(basename "$jar"): $rate reserves and 200 probes a second"
row minute 'heap, MB' 'RSS, MB' 'PG RSS, MB' threads sockets 'data, MB' reserves 'reserve p99.9' 'probe p99.9, ms' failed
print_minute 0 - - - -
for ((minute = 1; minute <= minutes; minute++)); do
  failed=0
  load --call "reserve@$rate" --call probe@200 --warm-up PT5S --duration PT50S >"$work/load" 2>"$work/said" || failed=1
  if ((failed)); then cat "$work/said" "$work/load" >&2; fi
  failed=$(awk 'NF == 3 && $2 == "warm-up" { next } /^(never made|no answer|nothing|answered [^2]|connection)/ { sum += $NF } END { print sum + 0 }' "$work/load")
  print_minute "$minute" "$(measured "reserve@$rate" requests/s)" "$(measured "reserve@$rate" 'p99.9, ms')" \
    "$(measured probe@200 'p99.9, ms')" "$failed"
done
grep -c 'WARN\|ERROR' "$work/service.log" | sed 's/^/lines of WARN and ERROR in the log: /' || true
