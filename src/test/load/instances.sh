#!/usr/bin/env bash
# Measures the cost of a call to a standby instance of Berth, which passes it on:
#
#   src/test/load/instances.sh target/berth.jar [ROUNDS]
#
# starts one, two and three instances on the PostgreSQL of another Berth, and calls the active one and a standby in turn: probes and reserves
# over 1 and 64 connections, with wrk. All share one machine, so the figures show what passing a call on costs, not what three machines can
# do. It prints the medians of ROUNDS (3), and the least and the greatest values. In the environment, in seconds: WARM_UP (30) for each
# instance, EACH (10) for a figure. JDK_JAVA_OPTIONS sets Java's flags.
#
# With SHARE, in percent of a core, each instance gets at most that share of the processors (cgroups, as root), and the script calls all
# instances at the same time, over 30 clusters. This shows what another machine adds, if PostgreSQL and wrk have enough processor time.
set -euo pipefail

jar=$(realpath "${1:?the jar to measure}")
rounds=${2:-3}
warm_up=${WARM_UP:-30} each=${EACH:-10}
here=$(cd "$(dirname "$0")" && pwd)
java=${JAVA_HOME:+$JAVA_HOME/bin/}java
work=$(mktemp -d)
share=${SHARE:-}
services=() groups=()
export CLUSTER=load TOKEN=token-of-the-administrator RUN

stop() {
  for ((i = ${#services[@]} - 1; i >= 0; i--)); do
    kill "${services[i]}"
    wait "${services[i]}" || true
  done
  services=()
  ((!${#groups[@]})) || rmdir "${groups[@]}"
  groups=()
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

# starts a service with the given settings and waits until it is ready
service() {
  env "$@" "$java" -jar "$jar" >"$work/service-${#services[@]}.log" 2>&1 &
  services+=($!)
  local url
  url=http://127.0.0.1:$(printf '%s\n' "$@" | sed -n 's/^SERVER_PORT=//p')
  until curl -sf "$url/actuator/health/readiness" >"$work/ready.json"; do
    kill -0 "${services[-1]}" || { cat "$work/service-$((${#services[@]} - 1)).log" >&2; exit 1; }
    sleep 0.2
  done
}

# starts an instance on the shared database, and adds its address to urls
instance() {
  local port
  port=$(free_port)
  service BERTH_INSTANCES_MODE=MANY BERTH_SECRETS_KEY="$(printf '5e%.0s' {1..32})" BERTH_ADMIN_TOKEN=$TOKEN BERTH_DATA_DIR="$work/instance-$port" \
    SERVER_PORT="$port" BERTH_INSTANCES_URL="http://127.0.0.1:$port" SPRING_DATASOURCE_URL="$database" SPRING_DATASOURCE_USERNAME=postgres \
    SPRING_DATASOURCE_PASSWORD="$PGPASSWORD"
  urls+=("http://127.0.0.1:$port")
}

# closed CALL CONNECTIONS SECONDS URL: prints the responses a second, and the median in ms
closed() {
  RUN=$EPOCHREALTIME wrk -t1 -c"$2" -d"$3" --timeout 10s --latency -s "$here/$1.lua" "$4" >"$work/closed"
  ! grep -E 'Non-2xx|Socket errors' "$work/closed" >&2 || exit 1
  awk '/Requests\/sec/ { rate = $2 } $1 == "50%" { ms = $2 * ($2 ~ /us$/ ? 0.001 : $2 ~ /ms$/ ? 1 : 1000) }
       END { print rate, ms }' "$work/closed"
}

measure() {
  local name=$1 url=$2 call connections rate ms
  closed reserve 64 $((warm_up / 2)) "$url" >"$work/warm"
  closed probe 64 $((warm_up - warm_up / 2)) "$url" >"$work/warm"
  for call in probe reserve; do
    for connections in 1 64; do
      read -r rate ms < <(closed "$call" "$connections" "$each" "$url")
      note "$call/s, $connections, $name" "$rate"
      note "$call median ms, $connections, $name" "$ms"
    done
  done
}

# limits the processor share of the service that was started last
bound() {
  local group
  if [[ -e /sys/fs/cgroup/cgroup.controllers ]]; then
    group=/sys/fs/cgroup/berth-${services[-1]}
    mkdir "$group"
    echo "$((share * 1000)) 100000" >"$group/cpu.max"
  else
    group=/sys/fs/cgroup/cpu/berth-${services[-1]}
    mkdir "$group"
    echo $((share * 1000)) >"$group/cpu.cfs_quota_us"
  fi
  groups+=("$group")
  echo "${services[-1]}" >"$group/cgroup.procs"
}

# together CALL CONNECTIONS SECONDS: calls all addresses at once, and prints the responses a second of all
together() {
  local at pids=() pid
  for at in "${!urls[@]}"; do
    RUN=$EPOCHREALTIME-$at wrk -t1 -c$(($2 / ${#urls[@]})) -d"$3" --timeout 30s -s "$here/$1.lua" "${urls[at]}" >"$work/together-$at" &
    pids+=($!)
  done
  for pid in "${pids[@]}"; do wait "$pid"; done
  ! grep -hE 'Non-2xx|Socket errors' "$work"/together-* >&2 || exit 1
  cat "$work"/together-* | awk '/Requests\/sec/ { rate += $2 } END { print rate }'
  rm "$work"/together-*
}

round_of_shares() {
  local data=$work/data-$1 port database urls=() call number
  local -x CLUSTER
  begin_round "$data"
  CLUSTER=$(printf 'load-%d,' {1..30})
  for number in {1..30}; do cluster "load-$number"; done
  # the first instance warms up at full speed
  closed reserve 48 "$warm_up" "${urls[0]}" >"$work/warm"
  closed probe 48 "$warm_up" "${urls[0]}" >"$work/warm"
  bound
  for number in 1 2 3; do
    if ((number > 1)); then
      instance
      closed probe 48 "$warm_up" "${urls[-1]}" >"$work/warm"
      bound
    fi
    for call in probe reserve; do
      note "$call/s, $number instances of $share % each" "$(together "$call" 48 "$each")"
    done
  done
  for call in probe reserve; do
    ratio "$call/s, 2 instances of $share % each" "$call/s, 1 instances of $share % each"
    ratio "$call/s, 3 instances of $share % each" "$call/s, 1 instances of $share % each"
  done
  stop
  rm -rf "$data" "$work"/instance-*
}

# makes a cluster that is large enough to reject nothing
cluster() {
  curl -sf -o "$work/cluster.json" "${urls[0]}/api/v1/clusters" -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' \
    -d "{\"id\":\"$1\",\"pes\":10000000}"
}

# starts a first instance on its own database, and sets database and urls
begin_round() {
  port=$(free_port)
  service BERTH_DATA_DIR="$1" SERVER_PORT="$port"
  export PGPASSWORD
  PGPASSWORD=$(<"$1/postgresql.password")
  port=$(sed -n 4p "$1/postgresql/postmaster.pid")
  psql -q -h 127.0.0.1 -p "$port" -U postgres -c 'create database many'
  database=jdbc:postgresql://127.0.0.1:$port/many
  instance
}

round() {
  local data=$work/data-$1 port database urls=() call connections
  begin_round "$data"
  cluster "$CLUSTER"
  measure 'one instance' "${urls[0]}"
  instance
  measure 'the active one of two' "${urls[0]}"
  measure 'passed on, of two' "${urls[1]}"
  instance
  measure 'the active one of three' "${urls[0]}"
  measure 'passed on, of three' "${urls[2]}"
  # Berth decides the reserves of an account with limits one after the other, whichever instance receives them
  TOKEN=$(curl -sf "${urls[2]}/api/v1/accounts" -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' \
    -d '{"name":"limited","role":"CLIENT","limits":{"pes":10000000}}' | sed 's/.*"token":"\([^"]*\)".*/\1/') \
    closed reserve 64 "$each" "${urls[2]}" >"$work/limited"
  note 'reserve/s, 64, an account with limits, passed on, of three' "$(cut -d' ' -f1 "$work/limited")"
  for call in probe reserve; do
    for connections in 1 64; do
      ratio "$call median ms, $connections, passed on, of three" "$call median ms, $connections, the active one of three"
      ratio "$call/s, $connections, passed on, of three" "$call/s, $connections, the active one of three"
    done
  done
  stop
  rm -rf "$data" "$work"/instance-*
}

for ((number = 1; number <= rounds; number++)); do
  echo "round $number of $rounds" >&2
  "round${share:+_of_shares}" "$number"
done

printf '\n%-100s %10s %10s %10s\n' "$(basename "$jar"), $rounds rounds" median least most
awk -F'\t' '!seen[$1]++ { print $1 }' "$work/figures" | while read -r name; do
  awk -F'\t' -v name="$name" '$1 == name { print $2 }' "$work/figures" | sort -n | awk -v name="$name" '{ v[NR] = $1 }
    END { printf "%-100s %10.4g %10.4g %10.4g\n", name, (v[int((NR + 1) / 2)] + v[int(NR / 2) + 1]) / 2, v[1], v[NR] }'
done
