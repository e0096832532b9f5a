#!/usr/bin/env bash
# Measures how fast a Slurm follows Berth: a thousand reservations put in place at once, a pass of the agent with nothing to do, the time from
# a reserve until the reservation is in Slurm, the time from a cancellation until its nodes are free, reservations by hand (scontrol) beside the
# same over HTTP, and the load of the idle agent. It starts its own Slurm of 16 nodes and its own Berth, and stops them.
#
#   src/test/slurm/agent.sh target/berth.jar [RESERVATIONS]
set -euo pipefail
jar=$(realpath "${1:?the jar to measure}") count=${2:-1000}
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d) port=$((20000 + RANDOM % 10000)) token=token-of-the-administrator
java=${JAVA_HOME:+$JAVA_HOME/bin/}java
chmod 755 "$work"
berth= agent=
finish() {
  [[ -z $agent ]] || kill "$agent" || true
  [[ -z $berth ]] || kill "$berth" || true
  DIR=$work/slurm "$here/down.sh" >&2 || true
  wait || true
  rm -rf "$work"
}
trap finish EXIT

DIR=$work/slurm NODES=16 PORT=$((port + 1)) "$here/up.sh" >&2
. "$work/slurm/env"
BERTH_DATA_DIR=$work/data BERTH_ADMIN_TOKEN=$token SERVER_PORT=$port "$java" -jar "$jar" >"$work/berth.log" 2>&1 &
berth=$!
until curl -sf -o "$work/ready" "http://127.0.0.1:$port/actuator/health/readiness"; do sleep 0.2; done

call() { curl -sf -X "$1" "http://127.0.0.1:$port/api/v1$2" -H "Authorization: Bearer $token" -H 'Content-Type: application/json' "${@:3}"; }
in_minutes() { date -u -d "+$1 minutes" +%Y-%m-%dT%H:%M:%SZ; }
reserve() { call POST /reservations -d "{\"cluster\":\"tux\",\"terms\":{\"duration\":\"PT10M\",\"pes\":$1,\"readyTime\":\"$(in_minutes "$2")\"}}" |
  sed 's/.*"id":"\([^"]*\)".*/\1/'; }
now() { date +%s%3N; }
follow=("$java" -Xmx128m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -jar "$jar" slurm-agent --url "http://127.0.0.1:$port" --token-file "$work/token"
  --cluster tux --nodes 'n[1-16]' --users "$work/users" --lock "$work/lock")

call POST /clusters -d '{"id":"tux","pes":16,"binding":"EARLY","policy":{"jobs":"OUTSIDE","enforcement":"REPORTED"}}' >"$work/cluster"
call POST /accounts -d '{"name":"agent","role":"AGENT","cluster":"tux"}' | sed 's/.*"token":"\([^"]*\)".*/\1/' >"$work/token"
echo "admin root" >"$work/users"
for ((i = 0; i < count; i++)); do reserve 4 $((60 + i / 4 * 11)) >"$work/id"; done

log=$work/once
begin=$(now)
"${follow[@]}" --once >"$log"
echo "$count put in place at once: $(($(now) - begin)) ms, including the start of Java; $(tail -n 1 "$log" | cut -d' ' -f2-)"
"${follow[@]}" >"$work/agent" &
agent=$!
until grep -q 'in place' "$work/agent"; do sleep 0.05; done
stamp() { date -d "$(sed -n "$1p" "$work/agent" | cut -d' ' -f1)" +%s%3N; }
echo "first pass of a process, with nothing to do: $(($(stamp 2) - $(stamp 1))) ms"
for ((i = 0; i < 20; i++)); do
  begin=$(now)
  id=$(reserve 4 $((20 + i % 2 * 15)))
  until scontrol show reservation "berth.tux.$id.0" >"$work/shown" 2>&1; do sleep 0.02; done
  echo $(($(now) - begin)) >>"$work/placed"
  begin=$(now)
  call POST "/reservations/$id/cancel" >"$work/cancelled"
  while scontrol show reservation "berth.tux.$id.0" >"$work/shown" 2>&1; do sleep 0.02; done
  echo $(($(now) - begin)) >>"$work/freed"
done
grep -Ev ' (Created|Deleted) ' "$work/agent" >&2 || true
spread() { sort -n "$1" | awk '{ v[NR] = $1 } END { printf "median %d, most %d ms of %d\n", v[int((NR + 1) / 2)], v[NR], NR }'; }
echo "from the reserve until the reservation is in Slurm: $(spread "$work/placed")"
echo "from the cancellation until it is gone from Slurm: $(spread "$work/freed")"
# the same 200 reservations by hand and over one connection at Berth, in turn
of_berth() { scontrol show reservations -o 2>"$work/none" | grep -c 'ReservationName=berth\.tux\.' || true; }
for round in 1 2 3; do
  begin=$(now)
  for ((i = 0; i < 200; i++)); do
    scontrol create reservation "reservationname=hand$round.$i" "starttime=now+$((10000 + i * 11))minutes" duration=10 nodecnt=4 users=root >>"$work/hand"
  done
  echo $((200000 / ($(now) - begin))) >>"$work/by-hand"
  for ((i = 0; i < 200; i++)); do scontrol delete "reservationname=hand$round.$i"; done

  : >"$work/posts"
  for ((i = 0; i < 200; i++)); do
    start=$(in_minutes $((10000 + (round * 200 + i) * 11)))
    ((i == 0)) || echo next >>"$work/posts"
    printf 'url = "%s"\nheader = "Authorization: Bearer %s"\nheader = "Content-Type: application/json"\ndata = "%s"\nfail\noutput = "%s"\n' \
      "http://127.0.0.1:$port/api/v1/reservations" "$token" \
      "{\\\"cluster\\\":\\\"tux\\\",\\\"terms\\\":{\\\"duration\\\":\\\"PT10M\\\",\\\"pes\\\":4,\\\"readyTime\\\":\\\"$start\\\"}}" "$work/posted" >>"$work/posts"
  done
  expected=$(($(of_berth) + 200))
  begin=$(now)
  curl -s --config "$work/posts"
  echo $((200000 / ($(now) - begin))) >>"$work/at-berth"
  until (($(of_berth) >= expected)); do sleep 0.1; done
  echo $(($(now) - begin)) >>"$work/all-placed"
done
echo "200 reservations one after the other, a second: scontrol $(paste -sd ' ' "$work/by-hand"), Berth $(paste -sd ' ' "$work/at-berth")"
echo "from the first of 200 requests until all are in Slurm: $(spread "$work/all-placed")"
ticks() { awk '{ print $14 + $15 }' "/proc/$agent/stat"; }
sleep 20
before=$(ticks)
sleep 30
echo "idle: $(awk "BEGIN { print ($(ticks) - $before) / $(getconf CLK_TCK) / 30 * 100 }") % of a core, $(awk '/VmRSS/ { print int($2 / 1024) }' "/proc/$agent/status") MB"
