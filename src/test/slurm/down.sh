#!/usr/bin/env bash
# Stops the Slurm that up.sh started in DIR (default: /tmp/berth-slurm) with all its jobs, and deletes the directory. With KEEP=1, it
# deletes only the list of processes. It ends only processes of that Slurm, which it knows by their numbers and start times.
set -uo pipefail
DIR=${DIR:-/tmp/berth-slurm}
if [[ ! -e $DIR/processes ]]; then
  echo "DIR is $DIR: no Slurm was started there" >&2
  exit 0
fi
DIR=$(cd "$DIR" && pwd)
export SLURM_CONF=$DIR/slurm.conf

# cancel the jobs first, while slurmctld can still end them
timeout 10 squeue -h -o %A 2>/dev/null | sort -u | xargs -r timeout 10 scancel --full 2>/dev/null
for ((i = 0; i < 40; i++)); do
  [[ -n $(timeout 5 squeue -h 2>/dev/null) ]] || break
  sleep 0.25
done

is_running() { [[ $(cut -d' ' -f22 "/proc/$1/stat" 2>/dev/null) == "$2" ]]; }
tac "$DIR/processes" | while read -r _ pid started; do
  is_running "$pid" "$started" && kill -TERM "$pid"
done
deadline=$((SECONDS + 15))
tac "$DIR/processes" | while read -r name pid started; do
  while is_running "$pid" "$started"; do
    if ((SECONDS >= deadline)); then
      echo "$name, process $pid, did not end within 15 s, and is killed" >&2
      kill -KILL "$pid"
      break
    fi
    sleep 0.05
  done
done

# kill the slurmstepds and jobs that outlived their slurmd; the configuration in their environment identifies them
grep -lszxF "SLURM_CONF=$SLURM_CONF" /proc/[0-9]*/environ | while IFS=/ read -r _ _ pid _; do
  if [[ $(cat "/proc/$pid/comm" 2>/dev/null) == slurmstepd ]] || grep -qszxF SLURM_CLUSTER_NAME=throwaway "/proc/$pid/environ"; then
    kill -KILL "$pid" 2>/dev/null
  fi
done

if [[ ${KEEP:-0} == 1 ]]; then
  rm -f "$DIR/processes"
else
  rm -rf "$DIR"
fi
echo "Slurm is down"
