#!/usr/bin/env bash
# Compares how fast a jar of Berth reserves on a slow disk with a service that inserts one row for each call:
#
#   src/test/load/slow-disk.sh target/berth.jar [ROUNDS]
#
# Each round starts the jar and its PostgreSQL with SLOW_SYNC_MS (5) added to every sync, and src/test/java/berth/load/OneRowInserts.java,
# with the same Java flags, on that PostgreSQL. load.sh calls both in turn over CLIENTS (256) connections: first as fast as they respond
# (closed loop), then at half that rate, whatever the response times (open loop). The script prints the medians of ROUNDS (3), and the least
# and the greatest values. In the environment, in seconds: WARM_UP (30) for each, EACH (15) for a figure. It needs a C compiler, and pgbench,
# which measures with one client how long a row and its sync take.
set -euo pipefail

jar=${1:?the jar to measure}
rounds=${2:-3}
clients=${CLIENTS:-256} warm_up=${WARM_UP:-30} each=${EACH:-15}
here=$(cd "$(dirname "$0")/../../.." && pwd)
java=${JAVA_HOME:+$JAVA_HOME/bin/}java
work=$(mktemp -d)
services=()
export SLOW_SYNC_MS=${SLOW_SYNC_MS:-5} PGPASSWORD

stop() {
  for ((i = ${#services[@]} - 1; i >= 0; i--)); do
    kill "${services[i]}"
    wait "${services[i]}" || true
  done
  services=()
}
trap 'stop; rm -rf "$work"' EXIT

free_port() {
  local port
  while port=$((20000 + RANDOM % 10000)) && (: <>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; do :; done
  echo "$port"
}

note() { printf '%s\t%s\n' "$1" "$2" | tee -a "$work/figures" >&2; }

figure() { awk -F'\t' -v name="$1" '$1 == name { value = $2 } END { print value }' "$work/figures"; }

ratio() { note "$1 : $2" "$(awk "BEGIN { print $(figure "$1") / $(figure "$2") }")"; }

load() {
  "$here/src/test/load/load.sh" --url "$1" --token-file "$work/data/admin.token" --connections "$clients" "${@:2}" >"$work/load"
}

# prints the last column of a line in the output of load.sh
measured() { awk -v name="$1" 'index($0, name " ") == 1 { print $NF }' "$work/load"; }

awaited() {
  until "${@:2}"; do
    kill -0 "${services[-1]}" || { cat "$work/$1.log" >&2; exit 1; }
    sleep 0.1
  done
}

# measures the highest rate of a service
most() {
  load "$2" --call reserve --warm-up "PT${warm_up}S" --duration "PT${each}S" || cat "$work/load" >&2
  note "$1/s" "$(measured requests/s)"
}

# measures the response times at half that rate
half() {
  local rate
  rate=$(awk "BEGIN { printf \"%.0f\", $(figure "$1/s") / 2 }")
  load "$2" --call "reserve@$rate" --warm-up PT5S --duration "PT${each}S" || cat "$work/load" >&2
  note "$1 at half of that, median ms" "$(measured 'p50, ms')"
  note "$1 at half of that, p99 ms" "$(measured 'p99, ms')"
  note "client late meanwhile, p99 ms" "$(measured 'client late, p99, ms')"
}

round() {
  local berth naive pg_port sync
  berth=$(free_port)
  LD_PRELOAD=$work/slowsync.so "$java" -jar "$jar" --server.port="$berth" --berth.data-dir="$work/data" >"$work/berth.log" 2>&1 &
  services+=($!)
  awaited berth curl -sf -o "$work/health" "http://127.0.0.1:$berth/actuator/health"
  PGPASSWORD=$(<"$work/data/postgresql.password")
  pg_port=$(sed -n 4p "$work/data/postgresql/postmaster.pid")
  naive=$(free_port)
  "$java" -Dsun.net.httpserver.nodelay=true -cp "$work/jar/lib/*" "$here/src/test/java/berth/load/OneRowInserts.java" "$naive" "$pg_port" \
    >"$work/naive.log" 2>&1 &
  services+=($!)
  awaited naive curl -sf -o "$work/health" "http://127.0.0.1:$naive/api/v1/clusters/load"

  psql -q -h 127.0.0.1 -p "$pg_port" -U postgres -c 'create table one (id bigserial primary key, payload text)'
  pgbench -n -M prepared -h 127.0.0.1 -p "$pg_port" -U postgres -c 1 -T 5 -f "$work/insert.sql" -l --log-prefix="$work/one" postgres \
    >"$work/pgbench" 2>&1
  sync=$(sort -nk3 "$work"/one.* | awk '{ us[NR] = $3 } END { print us[int((NR + 1) / 2)] / 1000 }')
  rm "$work"/one.*
  note 'a row and its sync, ms' "$sync"
  most reserve "http://127.0.0.1:$berth"
  most insert "http://127.0.0.1:$naive"
  ratio 'reserve/s' 'insert/s'
  half reserve "http://127.0.0.1:$berth"
  half insert "http://127.0.0.1:$naive"
  ratio 'reserve at half of that, p99 ms' 'a row and its sync, ms'
  stop
  rm -rf "$work/data"
}

cc -shared -fPIC -o "$work/slowsync.so" "$here/src/test/resources/berth/process/slowsync.c" -ldl
"$java" -Djarmode=tools -jar "$jar" extract --destination "$work/jar" >"$work/extract"
printf "insert into one (payload) values ('%s');\n" "$(printf 'x%.0s' {1..500})" >"$work/insert.sql"
for ((r = 1; r <= rounds; r++)); do
  echo "round $r of $rounds" >&2
  round
done

printf '\n%-52s %10s %10s %10s\n' "$SLOW_SYNC_MS ms more a sync, $clients clients, $rounds rounds" median least most
awk -F'\t' '!seen[$1]++ { print $1 }' "$work/figures" | while read -r name; do
  awk -F'\t' -v name="$name" '$1 == name { print $2 }' "$work/figures" | sort -g | awk -v name="$name" '{ v[NR] = $1 }
    END { printf "%-52s %10.4g %10.4g %10.4g\n", name, (v[int((NR + 1) / 2)] + v[int(NR / 2) + 1]) / 2, v[1], v[NR] }'
done
