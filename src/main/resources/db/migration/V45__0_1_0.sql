-- The tables of Berth 0.1.0. A database or an export of 0.1.0 has this version; later versions change it from here on.

create table installation (
    id uuid primary key
);
comment on table installation is 'one row: what tells this installation from all others';
insert into installation (id) values (gen_random_uuid());

create table writer (
    is_only boolean primary key default true check (is_only),
    generation bigint not null,
    process uuid,
    name text
);
comment on column writer.generation is 'whoever finds another one than its own has been replaced';
comment on column writer.name is 'of the process, for who reads this';
insert into writer (generation) values (0);

create table cluster (
    id text primary key,
    pes integer not null check (pes > 0),
    horizon bigint not null check (horizon > 0),
    currency text not null,
    price_per_pe_hour numeric(19, 6) not null,
    premium_factor numeric(19, 6) not null,
    flexibility_discount numeric(19, 6) not null,
    lateness_discount numeric(19, 6) not null,
    lateness_scale numeric(19, 6) not null,
    created_at timestamptz not null,
    rating numeric(19, 6) not null default 1,
    labels text not null default '',
    admission text not null default 'OPEN',
    notice bigint not null default 900,
    claim_within bigint,
    lead_time bigint not null default 0,
    max_duration bigint,
    reservable_share numeric(7, 6) not null default 1,
    renegotiation_surcharge numeric(19, 6) not null default 0.1,
    breach_credit numeric(19, 6) not null default 1,
    version integer not null default 0,
    binding text not null default 'LATE',
    placement text not null default 'FIRST_FIT',
    replan_order text not null default 'EARLIEST_DEADLINE_FIRST',
    juggling text not null default 'NEVER',
    alternatives_max_phi numeric(10, 6) not null default 1,
    price_function text not null default 'BERTH',
    preemption_incentive numeric(19, 6) not null default 0.1,
    load_profile text not null default '',
    availability text not null default 'WHAT_IF',
    makespan_weight numeric(7, 6) not null default 0.5,
    min_availability numeric(7, 6) not null default 0,
    max_slots integer not null default 20,
    min_slot_gap bigint not null default 900,
    intake_order text not null default 'ARRIVAL',
    intake_window bigint not null default 0,
    intake_levels integer not null default 10,
    intake_jobs_per_user integer not null default 3,
    reshaping text not null,
    pull_forward boolean not null,
    max_moves integer check (max_moves > 0),
    advance_share numeric(7, 6) not null,
    shape_discount numeric(19, 6) not null,
    max_hold bigint check (max_hold > 0),
    max_job_duration bigint check (max_job_duration > 0),
    jobs text not null,
    visibility text not null,
    enforcement text not null,
    granule integer not null check (granule >= 1),
    pe_names text,
    cancellation_free_until bigint not null default 0,
    cancellation_share numeric(19, 6) not null default 0
);

create table cluster_version (
    cluster text not null,
    version integer not null,
    pes integer not null,
    rating numeric(19, 6) not null,
    labels text not null,
    admission text not null,
    horizon bigint not null,
    notice bigint not null,
    claim_within bigint,
    lead_time bigint not null,
    max_duration bigint,
    reservable_share numeric(7, 6) not null,
    currency text not null,
    price_per_pe_hour numeric(19, 6) not null,
    premium_factor numeric(19, 6) not null,
    flexibility_discount numeric(19, 6) not null,
    lateness_discount numeric(19, 6) not null,
    lateness_scale numeric(19, 6) not null,
    renegotiation_surcharge numeric(19, 6) not null,
    breach_credit numeric(19, 6) not null,
    binding text not null,
    placement text not null,
    replan_order text not null,
    juggling text not null,
    alternatives_max_phi numeric(10, 6) not null,
    price_function text not null,
    preemption_incentive numeric(19, 6) not null,
    load_profile text not null,
    availability text not null,
    makespan_weight numeric(7, 6) not null,
    min_availability numeric(7, 6) not null,
    max_slots integer not null,
    min_slot_gap bigint not null,
    intake_order text not null,
    intake_window bigint not null,
    intake_levels integer not null,
    intake_jobs_per_user integer not null,
    reshaping text not null,
    pull_forward boolean not null,
    max_moves integer,
    advance_share numeric(7, 6) not null,
    shape_discount numeric(19, 6) not null,
    max_hold bigint,
    max_job_duration bigint,
    jobs text not null,
    visibility text not null,
    enforcement text not null,
    granule integer not null,
    pe_names text,
    cancellation_free_until bigint not null default 0,
    cancellation_share numeric(19, 6) not null default 0,
    primary key (cluster, version)
);

create table head (
    cluster text primary key,
    writer uuid,
    epoch bigint not null,
    sequence bigint not null
) with (fillfactor = 50);
comment on column head.writer is 'the process that took the cluster over last';
comment on column head.epoch is 'raised by each takeover and each settled doubt; a batch of an older epoch is refused';
comment on column head.sequence is 'number of the last recorded event';

create table journal (
    cluster text not null,
    first_sequence bigint not null,
    last_sequence bigint not null,
    epoch bigint not null,
    at timestamptz not null,
    format smallint not null,
    entry bytea not null,
    primary key (cluster, last_sequence)
);
comment on table journal is 'a cluster that was created is its row of last_sequence 0';
comment on column journal.entry is 'events and keys as JSON, compressed by zlib: docs/adr/0029-the-journal.md';

create table projection (
    cluster text primary key,
    sequence bigint not null,
    kept_from timestamptz not null default '-infinity'
) with (fillfactor = 50);
comment on column projection.kept_from is 'what had ended before has left the tables, and is part of hourly_figure';

create table account (
    name text primary key,
    role text not null,
    service_class text not null,
    token_hash text unique,
    created_at timestamptz not null,
    version integer not null,
    limit_active_reservations integer check (limit_active_reservations >= 0),
    limit_pes integer check (limit_pes > 0),
    limit_pe_hours bigint check (limit_pe_hours > 0),
    deleted_at timestamptz,
    priority integer not null check (priority between 1 and 10),
    limit_jobs integer check (limit_jobs >= 0),
    limit_pending_requests integer check (limit_pending_requests >= 0),
    limit_holds integer check (limit_holds >= 0),
    limit_max_hold bigint check (limit_max_hold > 0),
    cluster text,
    feeds text,
    leads text,
    check ((token_hash is null) = (deleted_at is not null)),
    check ((role = 'AGENT') = (cluster is not null))
);
comment on column account.token_hash is 'SHA-256 of the token, hexadecimal';
comment on column account.version is 'how often it has changed since it was created';
comment on column account.priority is 'how its requests rank where they are collected: 10 comes first';
comment on column account.limit_max_hold is 'seconds';
comment on column account.cluster is 'whose agent it is';
comment on column account.feeds is 'its feeds, as a list in JSON, with the hashes of their secrets; null: none';
comment on column account.leads is 'how long ahead starts and ends are announced, in seconds, with commas between; null: not at all';

create table asked (
    key uuid primary key,
    reservation uuid not null,
    attempt integer not null,
    cluster text not null,
    question text not null,
    is_open boolean not null,
    asked_at timestamptz not null,
    ends_at timestamptz not null,
    unique (reservation, attempt)
);
comment on column asked.key is 'the Idempotency-Key, made of the reservation and the attempt';
comment on column asked.is_open is 'whether something may be held there that is not in mirror';
comment on column asked.ends_at is 'when a hold that was granted has ended by itself';
create index asked_open on asked (asked_at) where is_open;

create table coallocation (
    id uuid primary key,
    owner text not null,
    name text,
    project text,
    state text not null,
    settled boolean not null,
    start_at timestamptz not null,
    clusters text[] not null,
    reservations uuid[] not null,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    watched boolean not null
);
comment on column coallocation.settled is 'whether nothing is left to be done about its parts';
comment on column coallocation.clusters is 'of the parts, in the order in which they were asked for';
comment on column coallocation.reservations is 'of the parts, in the same order';
comment on column coallocation.watched is 'whether its parts are still to be told if one of them fails';
create index coallocation_unsettled on coallocation (created_at) where not settled;
create index coallocation_watched on coallocation (created_at) where watched;

create table event (
    cluster text not null,
    sequence bigint not null,
    type text not null,
    at timestamptz not null,
    reservation uuid,
    owner text,
    project text,
    start_at timestamptz,
    price numeric(38, 4),
    currency text,
    version integer,
    credit numeric(38, 4),
    cluster_version integer,
    outage uuid,
    phi numeric(38, 6),
    job uuid,
    jobs_running integer,
    jobs_waiting integer,
    request uuid,
    content text,
    slowdown double precision,
    waited bigint,
    constraint event_concerns_one check (
        num_nonnulls(reservation, outage, cluster_version, job, jobs_waiting, request)
            = case type when 'BUDGET_LOW' then 0 else 1 end),
    primary key (cluster, sequence)
);
comment on column event.project is 'of the reservation, or of the request for one';
comment on column event.start_at is 'of the reservation, like the columns from version to phi';
comment on column event.content is 'the event as the journal has it; null where it tells of a cluster, an outage, a request or a queue';
comment on column event.slowdown is 'of a reservation that was completed: from its ready time to its end, by the time it had PEs';
comment on column event.waited is 'of a batch job that has started: seconds since it was submitted';
create index event_in_time on event using brin (at);
create index event_of_owner on event (owner, cluster, sequence) where owner is not null;
create index event_of_project on event (project, cluster, sequence) where project is not null;
create index event_of_request on event (request, sequence) where request is not null;
create index event_of_reservation on event (reservation, sequence);
create index event_renegotiated on event (reservation, version) where type in ('RENEGOTIATED', 'PROPOSED', 'ACCEPTED', 'DECLINED');

create table exported (
    cluster text primary key,
    sequence bigint not null
);
comment on table exported is 'how far the journal of each cluster is in an export that was found good';

create table heartbeat (
    is_only boolean primary key default true check (is_only),
    at timestamptz not null,
    boot text not null,
    uptime bigint not null
);
comment on column heartbeat.boot is 'names the start of the machine that it ran on';
comment on column heartbeat.uptime is 'milliseconds since that start';

create table hourly_figure (
    cluster text not null,
    hour timestamptz not null,
    type text not null,
    is_first boolean not null,
    currency text not null,
    number bigint not null,
    price numeric,
    credit numeric,
    slowdown numeric not null,
    slowdowns bigint not null,
    phi numeric not null,
    phis bigint not null,
    immediate bigint not null,
    delay numeric not null,
    delays bigint not null,
    waited numeric not null,
    waits bigint not null,
    primary key (cluster, hour, type, is_first, currency)
);
comment on table hourly_figure is 'sums over the events that have left, by the columns of figure';
comment on column hourly_figure.currency is 'empty where an event has none';

-- What events add to the figures of their cluster.
create view figure as
select event.cluster, event.sequence, event.at, event.type,
    coalesce(event.version, -1) = 0 as is_first,
    coalesce(event.currency, '') as currency,
    1::bigint as number,
    event.price,
    event.credit,
    -- by its text, which has all its digits
    coalesce(event.slowdown, 0)::text::numeric as slowdown,
    (event.slowdown is not null)::int::bigint as slowdowns,
    coalesce(abs(event.phi), 0) as phi,
    (event.phi is not null)::int::bigint as phis,
    coalesce((event.start_at = event.at)::int, 0)::bigint as immediate,
    coalesce(abs(extract(epoch from event.at - accepted.start_at)), 0) as delay,
    (accepted.start_at is not null)::int::bigint as delays,
    coalesce(event.waited, 0)::numeric as waited,
    (event.waited is not null)::int::bigint as waits
from event
left join event accepted
    on event.type = 'STARTED' and accepted.reservation = event.reservation and accepted.version = 0
union all
select cluster, null, hour, type, is_first, currency, number, price, credit, slowdown, slowdowns, phi, phis, immediate, delay, delays,
    waited, waits
from hourly_figure;
comment on column figure.is_first is 'of the event by which a reservation was accepted';
comment on column figure.immediate is 'whether it starts at the time of the event';
comment on column figure.delay is 'of a start: seconds between it and the start that was promised first';

create table idempotency_key (
    account text not null,
    key text not null,
    fingerprint text not null,
    cluster text,
    sequence bigint not null,
    created_at timestamptz not null,
    stands_for uuid,
    primary key (account, key)
);
comment on table idempotency_key is 'the event that holds the first result; sequence 0 stands for the cluster itself';
comment on column idempotency_key.stands_for is 'what was made, where that is no event of a cluster';
create index idempotency_key_age on idempotency_key (created_at);

create table instance (
    id uuid primary key,
    name text not null,
    session text not null unique,
    url text not null,
    version text not null,
    state text not null check (state in ('STANDBY', 'ACTIVE', 'LEAVING')),
    started_at timestamptz not null,
    beat_at timestamptz not null
);
comment on column instance.session is 'what its sessions are called in pg_stat_activity';
comment on column instance.beat_at is 'when it was heard of last, by the server''s clock';

create table job (
    id uuid primary key,
    cluster text not null,
    owner text not null,
    name text,
    pes integer not null,
    estimate bigint not null,
    submitted_at timestamptz not null,
    rank bigint not null,
    source text not null,
    state text not null,
    started_at timestamptz,
    taken_from timestamptz,
    taken_until timestamptz,
    pe_ids text,
    ended_at timestamptz
);
comment on table job is 'batch jobs as they are; of an outside batch system only those that wait or run';
comment on column job.estimate is 'how long it runs at the most, in seconds';
comment on column job.rank is 'its place in the queue: the lowest comes first';
comment on column job.taken_from is 'from when on its PEs are taken for it; later than its start where Berth heard of it later';
create index job_by_submission on job (cluster, submitted_at, id);
create index job_in_time on job (cluster, taken_until) where started_at is not null;
create index job_live on job (cluster) where state in ('QUEUED', 'RUNNING');

create table ledger_entry (
    cluster text not null,
    sequence bigint not null,
    number integer not null,
    project text not null,
    at timestamptz not null,
    kind text not null check (kind in ('HOLD', 'RELEASE', 'ADJUST', 'CHARGE', 'CREDIT')),
    reservation uuid not null,
    version integer not null,
    owner text not null,
    currency text not null,
    amount numeric not null,
    pe_seconds bigint not null,
    name text,
    start_at timestamptz,
    end_at timestamptz,
    booked_pe_seconds bigint,
    used_pe_seconds bigint,
    primary key (cluster, sequence, number)
);
comment on table ledger_entry is 'what follows from the events of reservations with a label; only added to, and written with what follows from the same event elsewhere';
comment on column ledger_entry.sequence is 'of the event';
comment on column ledger_entry.project is 'the label, whether it is a project or not';
comment on column ledger_entry.version is 'of the reservation after the event';
comment on column ledger_entry.amount is 'less than 0 only where the kind is ADJUST';
comment on column ledger_entry.name is 'like what follows, only where the kind is CHARGE or CREDIT';
create index ledger_entry_of_project on ledger_entry (project, at, sequence, cluster, number);
create index ledger_entry_of_reservation on ledger_entry (reservation);

create table maintenance (
    id uuid primary key,
    cluster text not null references cluster,
    content text not null,
    planned integer not null check (planned >= 0),
    recorded integer not null,
    created_at timestamptz not null,
    check ((recorded >= 0) and (recorded <= planned))
);
comment on column maintenance.content is 'what is out of service, and when, as JSON';
comment on column maintenance.recorded is 'how many of its windows are recorded as outages, the first ones';
create index maintenance_at_work on maintenance (id) where recorded < planned;
create index maintenance_of_cluster on maintenance (cluster, id);

create table mirror (
    id uuid primary key,
    cluster text not null,
    owner text not null,
    service_class text not null,
    name text,
    project text,
    tried text,
    remote_id text not null,
    owed text not null,
    answer text not null,
    state text not null,
    start_at timestamptz not null,
    end_at timestamptz not null,
    heard_at timestamptz not null,
    reachable boolean not null,
    created_at timestamptz not null,
    degraded boolean not null
);
comment on table mirror is 'reservations at other Berths, as they were when these last told';
comment on column mirror.owed is 'what the other Berth is still to be told';
comment on column mirror.degraded is 'whether another reservation that belongs together with it has failed';
create index mirror_owing on mirror (created_at) where owed <> 'NOTHING';
create index mirror_owner on mirror (owner, id desc);

create table outage (
    id uuid primary key,
    cluster text not null,
    pes integer not null check (pes > 0),
    from_at timestamptz not null,
    to_at timestamptz,
    reason text,
    moved uuid[] not null,
    failed uuid[] not null,
    ended_at timestamptz,
    pe_ids text,
    source text,
    check ((to_at is null) or (from_at < to_at))
);
comment on column outage.to_at is 'as planned; null: until it is ended';
comment on column outage.moved is 'the reservations that lost their PEs and were placed anew';
comment on column outage.failed is 'the reservations for which there was no place left';
comment on column outage.pe_ids is 'null: no particular ones';
comment on column outage.source is 'who tells of it again and again; null: an operator has recorded it';
create index outage_of_cluster on outage (cluster, id);

create table peer (
    id text primary key,
    url text not null,
    sealed_token text not null,
    cluster text not null,
    card text not null,
    checked_at timestamptz not null,
    version integer not null
);
comment on table peer is 'clusters of other Berths';
comment on column peer.sealed_token is 'lets this one in there; sealed with the key in secrets.key of the data directory';
comment on column peer.cluster is 'its name there';
comment on column peer.card is 'what it answered when it was asked last';

create table project (
    id text primary key,
    name text not null,
    created_at timestamptz not null,
    mode text not null default 'TRACK' check (mode in ('TRACK', 'ENFORCE'))
);
comment on column project.id is 'the label that reservations, series and co-allocations are filed under';

create table project_grant (
    project text not null references project,
    id text not null,
    unit text not null,
    amount numeric not null check (amount > 0),
    credit_limit numeric not null check (credit_limit >= 0),
    from_at timestamptz not null,
    until_at timestamptz not null,
    made_by text not null,
    created_at timestamptz not null,
    expired numeric,
    primary key (project, id)
);
comment on column project_grant.unit is 'an ISO 4217 currency, or PE_HOURS: then amounts are PE-seconds';
comment on column project_grant.expired is 'what was left of it at its end; null: it is not over';

create table project_member (
    project text not null references project,
    account text not null,
    role text not null check (role in ('OWNER', 'MEMBER', 'VIEWER')),
    primary key (project, account)
);
comment on column project_member.account is 'may have been deleted since';

create table refusal (
    cluster text not null,
    hour timestamptz not null,
    code text not null,
    number bigint not null,
    primary key (cluster, hour, code)
);

create table request (
    id uuid primary key,
    cluster text,
    owner text not null,
    service_class text not null,
    name text,
    project text,
    priority integer not null,
    ready_time timestamptz,
    deadline timestamptz,
    duration bigint not null check (duration > 0),
    pes integer not null check (pes > 0),
    moldability text,
    preemption text,
    budget numeric(38, 4),
    currency text,
    requires text not null,
    fix_after numeric(7, 6),
    fix_before bigint,
    start_at timestamptz,
    arrived_at timestamptz not null,
    state text not null,
    reason text,
    ended_at timestamptz,
    preference text,
    leeway_max_phi numeric(10, 6),
    leeway_earlier boolean,
    clusters text,
    users text,
    wait_until timestamptz,
    ticket bigint check (ticket > 0),
    auto_extend_step bigint check (auto_extend_step > 0),
    auto_extend_until timestamptz,
    series uuid,
    occurrence date,
    check ((ticket is null) or ((wait_until is not null) and (cluster is not null))),
    check ((state = 'REJECTED') = (reason is not null)),
    check ((budget is null) = (currency is null)),
    check ((cluster is null) = (preference is not null)),
    check ((leeway_max_phi is null) or (leeway_earlier is not null)),
    check ((clusters is null) or (cluster is null)),
    check (state not in ('WAITING', 'EXPIRED') or (ticket is not null)),
    check ((auto_extend_step is null) = (auto_extend_until is null)),
    check ((series is null) = (occurrence is null)),
    constraint request_ends check (state in ('PENDING', 'WAITING') = (ended_at is null))
);
comment on column request.cluster is 'null: whichever; the reservation of the same id tells which it became';
comment on column request.ready_time is 'null: at once';
comment on column request.deadline is 'null: the end of the horizon';
comment on column request.duration is 'seconds on a standard PE, of a run of several shapes on its most PEs';
comment on column request.start_at is 'the chosen start; null: as the policy chooses';
comment on column request.reason is 'the code of the refusal';
comment on column request.preference is 'which slot is liked best: measure=weight with commas between';
comment on column request.leeway_max_phi is 'how far from its window it takes a slot, in run times; null: as far as the cluster offers alternatives';
comment on column request.leeway_earlier is 'whether before its window, too; null: it takes no slot outside of its window';
comment on column request.clusters is 'those that may be asked, with commas between; null: all';
comment on column request.users is 'who may run jobs in it, by their names on the machine; null: the owner';
comment on column request.wait_until is 'until when it waits where there is no room; null: it is refused then';
comment on column request.ticket is 'its number among those that wait on its cluster: the lowest is tried first; null: it has not waited';
comment on column request.auto_extend_step is 'seconds by which the run is extended each time; null: it is not';
comment on column request.auto_extend_until is 'when the run ends at the latest';
create index request_not_granted on request (id) where state <> 'GRANTED';
create index request_of_owner on request (owner, id) where state <> 'GRANTED';
create index request_of_series on request (series) where series is not null;
create index request_open on request (cluster) where state in ('PENDING', 'WAITING');
create index request_pending_anywhere on request (id) where (state = 'PENDING') and (cluster is null);

create table reservation (
    id uuid primary key,
    cluster text not null,
    owner text not null,
    project text,
    state text not null,
    pes integer not null check (pes > 0),
    start_at timestamptz not null,
    end_at timestamptz not null,
    price numeric(38, 4) not null,
    currency text not null,
    updated_at timestamptz not null,
    parts text,
    content text not null,
    series uuid
);
comment on column reservation.pes is 'the most that the run takes at one time where it lies';
comment on column reservation.start_at is 'of the first part';
comment on column reservation.end_at is 'of the last part';
comment on column reservation.parts is 'start-end/pes/steps/pe_ids of each, with blanks between; null: it lies in one piece';
comment on column reservation.content is 'all of it, as the journal has it; the other columns repeat what is searched for and summed up';
create index reservation_in_time on reservation (cluster, end_at);
create index reservation_live on reservation (cluster) where state in ('HELD', 'CONFIRMED', 'RUNNING');
create index reservation_of_owner on reservation (owner, id);
create index reservation_of_owner_in_time on reservation (owner, end_at);
create index reservation_of_project on reservation (project, id) where project is not null;
create index reservation_of_series on reservation (series) where series is not null;

create table series (
    id uuid primary key,
    cluster text not null references cluster,
    owner text not null,
    state text not null,
    content text not null,
    decided integer not null check (decided >= 0),
    version integer not null check (version >= 0),
    created_at timestamptz not null,
    project text
);
comment on column series.content is 'who wants what when, as JSON';
comment on column series.decided is 'how many of its occurrences have been decided, the first ones';
comment on column series.project is 'what its content has';
create index series_at_work on series (id) where state <> 'DECIDED';
create index series_of_owner on series (owner, id);
create index series_of_project on series (project, id) where project is not null;

create table webhook (
    id uuid primary key,
    owner text not null,
    url text not null,
    types text not null,
    leads text not null,
    format text not null check (format in ('THIN', 'FULL', 'CLOUDEVENTS')),
    sealed_secret text not null,
    sealed_former text,
    former_until timestamptz,
    disabled text check (disabled in ('OWNER', 'GONE', 'FAILED')),
    disabled_at timestamptz,
    created_at timestamptz not null,
    version integer not null,
    project text,
    check ((sealed_former is null) = (former_until is null)),
    check ((disabled is null) = (disabled_at is null))
);
comment on column webhook.types is 'of events, with commas between; empty: all';
comment on column webhook.leads is 'how long ahead starts and ends are announced, in seconds, with commas between';
comment on column webhook.sealed_former is 'the secret before, which signs too until former_until';
comment on column webhook.disabled is 'why nothing is delivered; null: it is';
comment on column webhook.project is 'the only one that it tells of; null: whatever its owner hears of';

create table webhook_position (
    webhook uuid not null,
    cluster text not null,
    delivered bigint not null,
    failures integer not null,
    next_at timestamptz,
    primary key (webhook, cluster)
);
comment on table webhook_position is 'of webhooks that may not be as far as webhook_told';
comment on column webhook_position.delivered is 'the sequence up to which nothing is left to tell';
comment on column webhook_position.failures is 'how often the next message was sent in vain';

create table webhook_told (
    cluster text primary key,
    sequence bigint not null
);
comment on table webhook_told is 'how far webhooks have been told of each cluster that have no position of their own';
