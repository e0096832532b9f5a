#!/usr/bin/env bash
# Starts a throwaway Slurm on this machine: munged, slurmctld, and a slurmd for each virtual node. One directory has all its files: key,
# sockets, configuration, state, logs, and the list of processes for down.sh. It listens only on loopback if the host name resolves to
# loopback. It does not touch a running Slurm of this machine.
#
#   NODES=4 CPUS=2 PORT=16700 DIR=/tmp/berth-slurm src/test/slurm/up.sh
#   . /tmp/berth-slurm/env            # now sbatch, squeue, scontrol … use it
#   DIR=/tmp/berth-slurm src/test/slurm/down.sh
#
#   NODES   number of nodes: n1, n2, …                                   4
#   CPUS    CPUs per node; may be more than the machine has              2
#   PORT    first of NODES + 1 ports                                     16700
#   DIR     new directory, or one that down.sh left; all users can       /tmp/berth-slurm
#           read it
#   EXTRA   further lines for slurm.conf                                 none
#
# If root runs it, any user may submit jobs; otherwise only the user who runs it. Exit codes: 0 Slurm is up; 1 it is not, and nothing is
# left running; 77 Slurm or MUNGE is not installed.
set -Eeuo pipefail
NODES=${NODES:-4} CPUS=${CPUS:-2} PORT=${PORT:-16700} DIR=${DIR:-/tmp/berth-slurm} EXTRA=${EXTRA:-}
PATH=$PATH:/usr/sbin:/sbin
here=$(cd "$(dirname "$0")" && pwd)

for program in munged slurmctld slurmd scontrol sbatch; do
  if ! command -v "$program" >/dev/null; then
    echo "skipped: $program is not installed. Install munge, slurmctld, slurmd and slurm-client." >&2
    exit 77
  fi
done
if [[ -e $DIR/processes ]]; then
  echo "DIR is $DIR, where a Slurm was started already. Stop it with down.sh, or choose another directory." >&2
  exit 1
fi
mkdir -p "$DIR"/{log,munge,state}
DIR=$(cd "$DIR" && pwd)
chmod 755 "$DIR"
chmod 711 "$DIR/munge" # munged requires that no other user can write there, but its clients must reach the socket
: >"$DIR/processes"

give_up() {
  echo "Slurm did not start: $1. The last lines of its logs:" >&2
  tail -n 5 "$DIR"/log/* >&2 || true
  DIR=$DIR KEEP=1 bash "$here/down.sh" >&2
  exit 1
}
trap 'give_up "line $LINENO failed"' ERR

# Starts a program that outlives this script. Records its process id and its start time, because process ids are used again.
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
# short times for tests; cred_expire too, because a requeued job begins only after it (default: two minutes)
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
# since 23.02, slurmd must be told that there are no cgroups; older versions do not know the setting
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
