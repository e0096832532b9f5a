#!/usr/bin/env bash
# Prints the seconds from `mvn spring-boot:run` in a fresh clone to the first answered probe, and the same for a second start.
# Usage: first-answer.sh REPOSITORY [ROUNDS]
set -euo pipefail
repository=$(realpath "$1")
rounds=${2:-3}
port=18080
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

seconds() { date +%s.%N; }

answer() {
  local directory=$1 begin
  cd "$directory"
  begin=$(seconds)
  SERVER_PORT=$port setsid mvn -B -ntp spring-boot:run >"$work/log" 2>&1 &
  local group=$!
  until [[ -f data/admin.token ]] && curl -sf -o "$work/probe" "localhost:$port/api/v1/probes" \
      -H "Authorization: Bearer $(cat data/admin.token)" -H 'Content-Type: application/json' \
      -d '{"terms":{"duration":"PT2H","pes":32}}'; do
    kill -0 $group 2>/dev/null || { cat "$work/log"; exit 1; }
    sleep 0.1
  done
  echo "$(seconds) - $begin" | bc
  kill -TERM -- -$group
  wait $group || true
  while curl -s -o /dev/null localhost:$port; do sleep 0.2; done
}

for ((round = 1; round <= rounds; round++)); do
  rm -rf "$work/clone"
  git clone -q "$repository" "$work/clone"
  first=$(answer "$work/clone")
  second=$(answer "$work/clone")
  echo "round $round: first $first s, second $second s"
done
