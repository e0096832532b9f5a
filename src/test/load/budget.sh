#!/usr/bin/env bash
# Measures what a budget costs a reserve: reserves a second without a project, with a project whose budget is only counted, and with one
# whose budget is enforced; and the time for the report of a month with 100,000 reservations.
#
#   src/test/load/budget.sh target/berth.jar [ROUNDS]
#
# Each round measures the three in turn, on one service with a new data directory, after a minute of load. It needs wrk, and psql for the
# report.
set -euo pipefail

jar=${1:?the jar to measure} rounds=${2:-3} each=${EACH:-10} warm_up=${WARM_UP:-60}
here=$(cd "$(dirname "$0")" && pwd)
java=${JAVA_HOME:+$JAVA_HOME/bin/}java
work=$(mktemp -d)
port=$((20000 + RANDOM % 10000))
url=http://127.0.0.1:$port
"$java" -jar "$jar" --server.port="$port" --berth.data-dir="$work/data" >"$work/log" 2>&1 &
service=$!
trap 'kill "$service"; wait "$service" || true; rm -rf "$work"' EXIT
until [[ -s $work/data/admin.token ]] && curl -sf -o /dev/null -H "Authorization: Bearer $(<"$work/data/admin.token")" "$url/api/v1/me"; do
  kill -0 "$service"
  sleep 0.2
done
TOKEN=$(<"$work/data/admin.token")
export TOKEN CLUSTER=load RUN PROJECT

api() { curl -sf -X "$1" -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' "$url/api/v1$2" ${3:+-d "$3"}; }

api POST /clusters '{"id":"load","pes":1000000}' >/dev/null
for mode in TRACK ENFORCE; do
  api POST /projects "{\"id\":\"${mode,,}\",\"name\":\"$mode\",\"mode\":\"$mode\"}" >/dev/null
  api POST "/projects/${mode,,}/grants" '{"id":"all","amount":{"amount":"100000000.00","currency":"USD"},"until":"2099-01-01T00:00:00Z"}' >/dev/null
done

reserves() { # project, seconds
  PROJECT=$1 RUN=$1-$RANDOM-$SECONDS wrk -t1 -c32 -d"$2s" -s "$here/reserve.lua" "$url" |
    awk '/Requests\/sec/ { print $2 } /Non-2xx/ { print "rejected: " $0 > "/dev/stderr" }'
}

reserves "" "$warm_up" >/dev/null
for round in $(seq "$rounds"); do
  for project in "" track enforce; do
    printf '%s\t%s\n' "${project:-none}" "$(reserves "$project" "$each")" | tee -a "$work/figures"
  done
done
for project in none track enforce; do
  grep -P "^$project\t" "$work/figures" | cut -f2 | sort -g |
    awk -v name="$project" '{ all[NR] = $1 } END { printf "%s: %s reserves a second, median of %d\n", name, all[int((NR + 1) / 2)], NR }'
done
api GET /projects/enforce/balance && echo

command -v psql >/dev/null || exit 0
[[ -f $work/data/postgresql/postmaster.pid ]] || exit 0
database=$(sed -n 4p "$work/data/postgresql/postmaster.pid")
api POST /projects '{"id":"month","name":"A month"}' >/dev/null
PGPASSWORD=$(<"$work/data/postgresql.password") psql -q -h 127.0.0.1 -p "$database" -U postgres -d "${PGDATABASE:-postgres}" <<'SQL'
insert into ledger_entry
select 'load', 100000000 + n, 0, 'month', timestamptz '2027-01-01Z' + n * interval '25 seconds', case when n % 50 = 0 then 'CREDIT' else 'CHARGE' end,
       gen_random_uuid(), 3, 'user' || n % 40, 'USD', 12.34, 44424, 'run ' || n, timestamptz '2027-01-01Z' + n * interval '25 seconds' - interval '3 hours',
       timestamptz '2027-01-01Z' + n * interval '25 seconds', 44424, 40000
from generate_series(1, 100000) n;
analyze ledger_entry;
SQL
for what in 'charges.csv?from=2027-01-01T00:00:00Z&to=2027-02-01T00:00:00Z' 'focus.csv?month=2027-01' 'charges?from=2027-01-01T00:00:00Z&to=2027-02-01T00:00:00Z&limit=500' balance; do
  for _ in 1 2 3; do
    curl -sf -o "$work/report" -w "$what: %{time_total} s, %{size_download} bytes\n" -H "Authorization: Bearer $TOKEN" "$url/api/v1/projects/month/$what"
  done
done
