#!/usr/bin/env bash
# Measures how fast a jar of Berth is, compared with one-row inserts into the same PostgreSQL:
#
#   src/test/load/table.sh target/berth.jar [ROUNDS] [--beside OLD.jar]
#
# Each round starts the jar twice with a new data directory, and calls it on this machine. The script prints the medians of ROUNDS (5), and
# the least and the greatest values. Ratios are of figures of the same round. With --beside, the script also starts an older jar, and
# calls both in turn, three times each. In the environment, in seconds: WARM_UP (70) of load before the measurements, EACH (15) for a
# figure, BESIDE (60) for probes together with reserves. wrk makes the closed loops if it is installed,
# otherwise load.sh, which also makes the other calls.
set -euo pipefail

jar=${1:?the jar to measure}
shift
rounds=5 old=
while (($#)); do
  case $1 in
    --beside) old=${2:?the older jar}; shift 2 ;;
    *) rounds=$1; shift ;;
  esac
done
warm_up=${WARM_UP:-70} each=${EACH:-15} beside=${BESIDE:-60}
here=$(cd "$(dirname "$0")" && pwd)
java=${JAVA_HOME:+$JAVA_HOME/bin/}java
work=$(mktemp -d)
service= older=
export CLUSTER=load TOKEN RUN PGPASSWORD

stop() {
  for process in $service $older; do
    kill "$process"
    wait "$process" || true
  done
  service= older=
}
trap 'stop; rm -rf "$work"' EXIT

free_port() {
  local port
  while port=$((20000 + RANDOM % 10000)) && (: <>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; do :; done
  echo "$port"
}

probed() {
  [[ -s $data/admin.token ]] && curl -sf -o "$work/probe.json" "$url/api/v1/probes" \
    -H "Authorization: Bearer $(<"$data/admin.token")" -H 'Content-Type: application/json' \
    -d '{"terms":{"duration":"PT2H","pes":32},"clusters":["demo"]}'
}

# starts the jar, and notes the seconds until a probe succeeds
start() {
  local began=$EPOCHREALTIME
  "$java" -jar "$jar" --server.port="$port" --berth.data-dir="$data" >"$work/service.log" 2>&1 &
  service=$!
  until probed; do
    kill -0 "$service" || { cat "$work/service.log" >&2; exit 1; }
    sleep 0.05
  done
  note "$1, s" "$(awk "BEGIN { print $EPOCHREALTIME - $began }")"
}

# notes a figure of this round
note() { printf '%s\t%s\n' "$1" "$2" | tee -a "$work/figures" >&2; }

figure() { awk -F'\t' -v name="$1" '$1 == name { value = $2 } END { print value }' "$work/figures"; }

ratio() { note "$1 : $2" "$(awk "BEGIN { print $(figure "$1") / $(figure "$2") }")"; }

load() {
  "$here/load.sh" --url "$url" --token-file "$data/admin.token" --cluster "$CLUSTER" "$@"
}

# prints the last column of a line in a call's block of the output of load.sh
measured() { awk -v call="$1" -v name="$2" 'NF == 3 && $2 == "warm-up" { block = $1 } block == call && index($0, name " ") == 1 { print $NF }' "$3"; }

# closed CALL CONNECTIONS SECONDS: prints the responses a second in a closed loop, and the median in ms
closed() {
  if command -v wrk >/dev/null; then
    RUN=$EPOCHREALTIME wrk -t1 -c"$2" -d"$3" --latency -s "$here/$1.lua" "$url" >"$work/closed"
    ! grep -E 'Non-2xx|Socket errors' "$work/closed" >&2 || exit 1
    awk '/Requests\/sec/ { rate = $2 } $1 == "50%" { ms = $2 * ($2 ~ /us$/ ? 0.001 : $2 ~ /ms$/ ? 1 : 1000) }
         END { print rate, ms }' "$work/closed"
  else
    load --call "$1" --connections "$2" --warm-up PT2S --duration "PT$3S" >"$work/closed"
    echo "$(measured "$1" requests/s "$work/closed") $(measured "$1" 'p50, ms' "$work/closed")"
  fi
}

# inserts CLIENTS: prints the one-row inserts a second, and the median in ms
inserts() {
  pgbench -n -M prepared -h 127.0.0.1 -p "$pg_port" -U postgres -c "$1" -j 1 -T "$each" -f "$work/insert.sql" \
    -l --log-prefix="$work/inserts" pgbench >"$work/pgbench" 2>&1
  awk '/^tps/ { print $3 }' "$work/pgbench"
  sort -nk3 "$work"/inserts.* | awk '{ us[NR] = $3 } END { print us[int((NR + 1) / 2)] / 1000 }'
  rm "$work"/inserts.*
}

# reserves_and_inserts CONNECTIONS: measures reserves, then inserts by as many clients
reserves_and_inserts() {
  local rate ms
  read -r rate ms < <(closed reserve "$1" "$each")
  note "reserve/s, $1" "$rate"
  note "reserve median ms, $1" "$ms"
  [[ -n $pgbench ]] || return 0
  read -r rate ms < <(inserts "$1" | xargs)
  note "insert/s, $1" "$rate"
  note "insert median ms, $1" "$ms"
  ratio "reserve/s, $1" "insert/s, $1"
  ratio "reserve median ms, $1" "insert median ms, $1"
}

# measures the first thousand reserves after a start, one after the other over one connection
first_thousand() {
  local ready i
  ready=$(date -u -d '+1 day' +%Y-%m-%dT%H:%M:%SZ)
  for ((i = 1; i <= 1000; i++)); do
    ((i == 1)) || echo next
    printf '%s\n' "url = $url/api/v1/reservations" "header = \"Authorization: Bearer $TOKEN\"" \
      'header = "Content-Type: application/json"' "header = \"Idempotency-Key: first-$i\"" "output = $work/first.json" \
      "data = \"{\\\"cluster\\\":\\\"$CLUSTER\\\",\\\"terms\\\":{\\\"duration\\\":\\\"PT1M\\\",\\\"pes\\\":1,\\\"readyTime\\\":\\\"$ready\\\"}}\"" \
      'fail' 'silent' 'write-out = "%{time_total}\n"'
  done >"$work/first.curl"
  curl -K "$work/first.curl" | sort -g >"$work/first"
  note 'first thousand reserves, median ms' "$(awk 'NR == 500 { print 1000 * $1 }' "$work/first")"
  note 'first thousand reserves, p99 ms' "$(awk 'NR == 990 { print 1000 * $1 }' "$work/first")"
  note 'first thousand reserves, most ms' "$(awk 'END { print 1000 * $1 }' "$work/first")"
}

# prints figures of the time from a record to the tables for reading: count, sum in seconds, and count within 0.1 s
lag() {
  curl -sf "$url/actuator/prometheus" -H "Authorization: Bearer $TOKEN" | awk '
    /^berth_projection_lag_seconds_count/ { n = $2 }
    /^berth_projection_lag_seconds_sum/ { sum = $2 }
    /^berth_projection_lag_seconds_bucket.*le="0\.1"/ { soon = $2 }
    END { print n, sum, soon }'
}

# makes the load's cluster
make_cluster() {
  curl -sf -o "$work/cluster.json" "$url/api/v1/clusters" -H "Authorization: Bearer $TOKEN" \
    -H 'Content-Type: application/json' -d "{\"id\":\"$CLUSTER\",\"pes\":10000000}"
}

# calls both jars in turn, three times each
beside_the_older() {
  local new_url=$url new_token=$TOKEN data=$work/older-$1 url port TOKEN turn call connections rate ms
  port=$(free_port)
  url=http://127.0.0.1:$port
  "$java" -jar "$old" --server.port="$port" --berth.data-dir="$data" >"$work/older.log" 2>&1 &
  older=$!
  until probed; do
    kill -0 "$older" || { cat "$work/older.log" >&2; exit 1; }
    sleep 0.05
  done
  TOKEN=$(<"$data/admin.token")
  make_cluster
  closed reserve 64 $((warm_up / 2)) >/dev/null
  closed probe 64 $((warm_up - warm_up / 2)) >/dev/null
  for ((turn = 0; turn < 3; turn++)); do
    for call in probe reserve; do
      for connections in 64 16 1; do
        read -r rate ms < <(closed "$call" "$connections" "$each")
        note "$call/s, $connections, in turn, older" "$rate"
        read -r rate ms < <(url=$new_url TOKEN=$new_token closed "$call" "$connections" "$each")
        note "$call/s, $connections, in turn" "$rate"
        ratio "$call/s, $connections, in turn" "$call/s, $connections, in turn, older"
      done
    done
  done
  kill "$older"
  wait "$older" || true
  older=
  rm -rf "$data"
}

round() {
  local data=$work/data-$1 port url pg_port rate ms half lags n sum soon
  port=$(free_port)
  url=http://127.0.0.1:$port
  start 'first start'
  stop
  start 'second start'
  TOKEN=$(<"$data/admin.token")
  PGPASSWORD=$(<"$data/postgresql.password")
  pg_port=$(sed -n 4p "$data/postgresql/postmaster.pid")
  make_cluster
  first_thousand
  if [[ -n $pgbench ]]; then
    psql -q -h 127.0.0.1 -p "$pg_port" -U postgres -c 'create database pgbench'
    psql -q -h 127.0.0.1 -p "$pg_port" -U postgres -d pgbench -c 'create table load (id bigserial primary key, payload text)'
  fi
  closed reserve 64 $((warm_up / 2)) >/dev/null
  closed probe 64 $((warm_up - warm_up / 2)) >/dev/null

  lags=$(lag)
  reserves_and_inserts 64
  read -r n sum soon < <(echo "$lags $(lag)" | awk '{ print $4 - $1, $5 - $2, $6 - $3 }')
  note 'projection lag ms, mean, reserve 64' "$(awk "BEGIN { print 1000 * $sum / $n }")"
  note 'projection lag, share within 100 ms, reserve 64' "$(awk "BEGIN { print $soon / $n }")"
  reserves_and_inserts 16
  reserves_and_inserts 1
  read -r rate ms < <(closed probe 64 "$each")
  note 'probe/s, 64' "$rate"
  ratio 'reserve/s, 64' 'probe/s, 64'
  half=$(awk "BEGIN { printf \"%.0f\", $(figure 'reserve/s, 64') / 2 }")
  load --call "reserve@$half" --call probe@200 --warm-up PT10S --duration "PT${beside}S" >"$work/open" ||
    cat "$work/open" >&2
  note 'probe p99.9 ms, beside half as many reserves' "$(measured probe@200 'p99.9, ms' "$work/open")"
  note 'reserve p99.9 ms, half as many' "$(measured "reserve@$half" 'p99.9, ms' "$work/open")"
  note 'client late p99.9 ms, meanwhile' "$(measured probe@200 'client late, p99.9, ms' "$work/open")"
  [[ -z $old ]] || beside_the_older "$1"
  stop
  rm -rf "$data"
}

pgbench=$(command -v pgbench || true)
[[ -n $pgbench ]] || echo 'pgbench is not installed (package postgresql), so there are no inserts to compare with.' >&2
command -v wrk >/dev/null || echo 'wrk is not installed. load.sh makes the calls instead, which takes more processor time.' >&2
printf "insert into load (payload) values ('%s');\n" "$(printf 'x%.0s' {1..500})" >"$work/insert.sql"

for ((i = 1; i <= rounds; i++)); do
  echo "round $i of $rounds" >&2
  round "$i"
done

printf '\n%-52s %10s %10s %10s\n' "$(basename "$jar"), $rounds rounds" median least most
awk -F'\t' '!seen[$1]++ { print $1 }' "$work/figures" | while read -r name; do
  awk -F'\t' -v name="$name" '$1 == name { print $2 }' "$work/figures" | sort -n | awk -v name="$name" '{ v[NR] = $1 }
    END { printf "%-52s %10.4g %10.4g %10.4g\n", name, (v[int((NR + 1) / 2)] + v[int(NR / 2) + 1]) / 2, v[1], v[NR] }'
done
