#!/usr/bin/env bash
# Starts a Slurm of its own on this machine, to be thrown away: munged, slurmctld, and a slurmd for each virtual node. All it
# has lies in one directory: key, sockets, configuration, state, logs, and the processes for down.sh. It listens on loopback where
# the host's name means that; it leaves a Slurm that is installed alone.
#
#   NODES=4 CPUS=2 PORT=16700 DIR=/tmp/berth-slurm src/test/slurm/up.sh
#   . /tmp/berth-slurm/env            # from then on sbatch, squeue, scontrol … talk to it
#   DIR=/tmp/berth-slurm src/test/slurm/down.sh
#
#   NODES   how many nodes: n1, n2, …                                    4
#   CPUS    of each; the machine need not have them                      2
#   PORT    the first of NODES + 1 ports                                 16700
#   DIR     new, or one that down.sh has left; all users may look in     /tmp/berth-slurm
#   EXTRA   further lines for slurm.conf                                 none
#
# Run by root, jobs may be anybody's; run by somebody else, only theirs. Exit codes: 0 it is up; 1 it is not, and nothing is left
# running; 77 Slurm or MUNGE is not installed.
set -Eeuo pipefail
NODES=${NODES:-4} CPUS=${CPUS:-2} PORT=${PORT:-16700} DIR=${DIR:-/tmp/berth-slurm} EXTRA=${EXTRA:-}
PATH=$PATH:/usr/sbin:/sbin
here=$(cd "$(dirname "$0")" && pwd)

for program in munged slurmctld slurmd scontrol sbatch; do
  if ! command -v "$program" >/dev/null; then
    echo "skipped: there is no $program here; it is in the packages munge, slurmctld, slurmd and slurm-client" >&2
    exit 77
  fi
done
if [[ -e $DIR/processes ]]; then
  echo "DIR is $DIR: a Slurm was started there. Stop it by down.sh, or name another directory." >&2
  exit 1
fi
mkdir -p "$DIR"/{log,munge,state}
DIR=$(cd "$DIR" && pwd)
chmod 755 "$DIR"
chmod 711 "$DIR/munge" # munged wants nobody else to write there; its clients must reach the socket
: >"$DIR/processes"

give_up() {
  echo "Slurm is not up: $1. The ends of its logs:" >&2
  tail -n 5 "$DIR"/log/* >&2 || true
  DIR=$DIR KEEP=1 bash "$here/down.sh" >&2
  exit 1
}
trap 'give_up "line $LINENO failed"' ERR

# Starts a program that goes on after this script, and notes its process with the time of its start: numbers are used again.
start() {
  local name=$1
  shift
  nohup "$@" </dev/null >>"$DIR/log/$name.out" 2>&1 &
  echo "$name $! $(cut -d' ' -f22 "/proc/$!/stat")" >>"$DIR/processes"
}

# Waits for a command to succeed.
await() {
  local what=$1 deadline=$((SECONDS + 20))
  shift
  until timeout 5 "$@" >/dev/null 2>&1; do
    ((SECONDS < deadline)) || give_up "no $what within 20 s"
    sleep 0.05
  done
}

head -c 1024 /dev/urandom >"$DIR/munge/key"
chmod 600 "$DIR/munge/key"
start munged munged --foreground --force --key-file="$DIR/munge/key" --socket="$DIR/munge/socket" \
  --pid-file="$DIR/munge/pid" --seed-file="$DIR/munge/seed" --log-file="$DIR/log/munged.log"
await munged munge --socket="$DIR/munge/socket" --no-input

user=$(id -un) host=$(hostname -s) nodes=n1 ports=$((PORT + 1))
((NODES == 1)) || nodes="n[1-$NODES]" ports="[$((PORT + 1))-$((PORT + NODES))]"
{
  cat <<CONF
ClusterName=throwaway
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$PORT
SlurmUser=$user
SlurmdUser=$user
AuthType=auth/munge
AuthInfo=socket=$DIR/munge/socket,cred_expire=5
StateSaveLocation=$DIR/state
SlurmdSpoolDir=$DIR/spool/%n
SlurmctldPidFile=$DIR/slurmctld.pid
SlurmdPidFile=$DIR/slurmd-%n.pid
SlurmctldLogFile=$DIR/log/slurmctld.log
SlurmdLogFile=$DIR/log/slurmd-%n.log
# no cgroups, no pinning, no accounting: a container may forbid them
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
MpiDefault=none
SwitchType=switch/none
# nodes may have more CPUs than the machine, and come back by themselves
SlurmdParameters=config_overrides
ReturnToService=2
SlurmdTimeout=30
# nobody wants to wait in a test: a job that is requeued begins after cred_expire, usually two minutes, as well
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=1,bf_resolution=1,sched_interval=1,batch_sched_delay=1,sched_min_interval=100000
KillWait=5
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
NodeName=$nodes NodeHostname=$nodes NodeAddr=127.0.0.1 Port=$ports CPUs=$CPUS RealMemory=1024 State=UNKNOWN
PartitionName=batch Nodes=ALL Default=YES MaxTime=INFINITE DefaultTime=60 State=UP
CONF
  if [[ $({ getent hosts "$host" || true; } | awk '{ print $1; exit }') == 127.* ]]; then
    echo "CommunicationParameters=NoCtldInAddrAny,NoInAddrAny"
  fi
  echo "$EXTRA"
} >"$DIR/slurm.conf"
# from 23.02 on slurmd wants to hear that there are no cgroups; before, it does not know the word
: >"$DIR/cgroup.conf"
version=$(slurmctld -V | grep -oE '[0-9]+\.[0-9]+' | head -n 1)
if [[ $(printf '%s\n' 23.02 "$version" | sort -V | head -n 1) == 23.02 ]]; then
  echo "CgroupPlugin=disabled" >"$DIR/cgroup.conf"
fi

export SLURM_CONF=$DIR/slurm.conf
echo "export SLURM_CONF=$DIR/slurm.conf" >"$DIR/env"
start slurmctld slurmctld -D -i
await slurmctld sh -c 'scontrol ping | grep -q "is UP"'
for ((node = 1; node <= NODES; node++)); do
  mkdir -p "$DIR/spool/n$node"
  start "slurmd-n$node" slurmd -D -N "n$node"
done
await "$NODES idle nodes" sh -c "[ \$(sinfo -h -N -o %T | grep -cx idle) = $NODES ]"
echo "Slurm $version is up with $NODES nodes of $CPUS CPUs: . $DIR/env"
