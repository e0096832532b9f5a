-- Runs of several shapes and in several parts, moves and their reasons, and the rules of all that.

-- a cluster that was there before goes on as it did: nobody is moved to let another in
alter table cluster
    add replan_order         text           not null default 'EARLIEST_DEADLINE_FIRST',
    add juggling             text           not null default 'NEVER',
    add alternatives_max_phi numeric(10, 6) not null default 1,
    add price_function       text           not null default 'BERTH',
    add preemption_incentive numeric(19, 6) not null default 0.1,
    add load_profile         text           not null default '';
comment on column cluster.replan_order is 'the order in which the waiting queue is placed anew';
comment on column cluster.juggling is 'when it is';
comment on column cluster.alternatives_max_phi is 'how far from its window an alternative may lie, in run times';
comment on column cluster.load_profile is 'share:factor, by rising shares, with commas between';

alter table cluster_version
    add replan_order         text           not null default 'EARLIEST_DEADLINE_FIRST',
    add juggling             text           not null default 'NEVER',
    add alternatives_max_phi numeric(10, 6) not null default 1,
    add price_function       text           not null default 'BERTH',
    add preemption_incentive numeric(19, 6) not null default 0.1,
    add load_profile         text           not null default '';
alter table cluster_version
    alter replan_order drop default,
    alter juggling drop default,
    alter alternatives_max_phi drop default,
    alter price_function drop default,
    alter preemption_incentive drop default,
    alter load_profile drop default;

alter table reservation
    add shapes      text,
    add moldability text,
    add preemption  text,
    add parts       text,
    add turns       integer not null default 0,
    add flags       text    not null default '',
    add phi         numeric(38, 6);
comment on column reservation.pes is 'the most that the run takes at one time where it lies';
comment on column reservation.start_at is 'of the first part';
comment on column reservation.end_at is 'of the last part';
comment on column reservation.shapes is 'pes:seconds on this cluster, the largest first, with commas between';
comment on column reservation.moldability is 'where the shapes come from; null: there is only one';
comment on column reservation.preemption is 'parts/step/moldable; null: it may not be split';
comment on column reservation.parts is 'start-end/pes/steps/pe_ids of each, with blanks between; null: it lies in one piece';
comment on column reservation.turns is 'how many beginnings and ends of parts lie behind it';
comment on column reservation.flags is 'what is out of the ordinary about it';
comment on column reservation.phi is 'of the alternative that was accepted';

-- every run so far has one shape, and lies in one piece
update reservation set
    shapes = pes || ':' || extract(epoch from end_at - start_at)::bigint,
    turns = case when exists (select from event where event.reservation = reservation.id and type = 'STARTED')
            then 1 else 0 end,
    flags = case when exists (select from event where event.reservation = reservation.id and type = 'MOVED')
            then 'MOVED' else '' end;
alter table reservation
    alter shapes set not null,
    alter turns drop default,
    alter flags drop default;

alter table event
    add shapes      text,
    add moldability text,
    add preemption  text,
    add parts       text,
    add turns       integer,
    add flags       text,
    add phi         numeric(38, 6),
    add moved_from  text,
    add moved_why   text;
comment on column event.moved_from is 'the parts before a move, as in parts';
comment on column event.moved_why is 'why the provider moved it';
update event set
    shapes = pes || ':' || extract(epoch from end_at - start_at)::bigint,
    turns = case when exists (select from event earlier where earlier.reservation = event.reservation
                              and earlier.sequence <= event.sequence and earlier.type = 'STARTED')
            then 1 else 0 end,
    flags = case when exists (select from event earlier where earlier.reservation = event.reservation
                              and earlier.sequence <= event.sequence and earlier.type = 'MOVED')
            then 'MOVED' else '' end
where reservation is not null;
-- so far only outages moved anybody
update event set
    moved_from = extract(epoch from before.start_at)::bigint || '-' || extract(epoch from before.end_at)::bigint
                 || '/' || before.pes || '/1/' || coalesce(before.pe_ids, ''),
    moved_why = 'PES_LOST'
from event before
where event.type = 'MOVED' and before.reservation = event.reservation and before.version = event.version - 1;

-- what the provider offers the owner, and is not answered yet
alter table reservation
    add proposal_number      integer,
    add proposal_scenario    text,
    add proposal_ready_time  timestamptz,
    add proposal_deadline    timestamptz,
    add proposal_duration    bigint,
    add proposal_shapes      text,
    add proposal_moldability text,
    add proposal_preemption  text,
    add proposal_budget      numeric(38, 4),
    add proposal_requires    text,
    add proposal_fix_after   numeric(7, 6),
    add proposal_fix_before  bigint,
    add proposal_incentive   numeric(38, 4),
    add proposal_by          text,
    add proposal_at          timestamptz,
    add proposal_expires_at  timestamptz;
comment on column reservation.proposal_number is 'the version of the reservation that offered it';
alter table event
    add proposal_number      integer,
    add proposal_scenario    text,
    add proposal_ready_time  timestamptz,
    add proposal_deadline    timestamptz,
    add proposal_duration    bigint,
    add proposal_shapes      text,
    add proposal_moldability text,
    add proposal_preemption  text,
    add proposal_budget      numeric(38, 4),
    add proposal_requires    text,
    add proposal_fix_after   numeric(7, 6),
    add proposal_fix_before  bigint,
    add proposal_incentive   numeric(38, 4),
    add proposal_by          text,
    add proposal_at          timestamptz,
    add proposal_expires_at  timestamptz;

drop index event_renegotiated;
create index event_renegotiated on event (reservation, version)
    where type in ('RENEGOTIATED', 'PROPOSED', 'ACCEPTED', 'DECLINED');
