-- Reservations, and events of reservations and batch jobs, are kept as the journal has them, beside the columns by which they are
-- searched for and summed up.

create function pg_temp.seconds(at timestamptz) returns bigint immutable language sql as $$
    select extract(epoch from at)::bigint
$$;

create function pg_temp.money(amount numeric, currency text) returns jsonb immutable language sql as $$
    select case when amount is not null then jsonb_build_object('amount', amount, 'currency', currency) end
$$;

create function pg_temp.steps(preemption text) returns integer immutable language sql as $$
    select coalesce(round(1 / split_part(preemption, '/', 2)::numeric)::integer, 1)
$$;

create function pg_temp.parts(parts text) returns jsonb immutable language sql as $$
    select jsonb_agg(jsonb_build_object(
               'slot', jsonb_build_object('start', part[1]::bigint, 'end', part[2]::bigint),
               'pes', part[3]::integer, 'steps', part[4]::integer, 'peIds', nullif(part[5], '')) order by n)
    from unnest(string_to_array(parts, ' ')) with ordinality as each (text, n),
         regexp_match(text, '^(\d+)-(\d+)/(\d+)/(\d+)/(.*)$') as part
$$;

create function pg_temp.moldability(moldability text) returns jsonb immutable language sql as $$
    select case
        when moldability like 'RUNTIMES/%' then jsonb_build_object('runTimes', (
            select jsonb_object_agg(split_part(shape, ':', 1), split_part(shape, ':', 2)::bigint)
            from unnest(string_to_array(split_part(moldability, '/', 2), ',')) as shape))
        when moldability is not null then jsonb_build_object(
            'speedup', split_part(moldability, '/', 1),
            'minPes', split_part(moldability, '/', 2)::integer,
            'maxPes', split_part(moldability, '/', 3)::integer,
            'allowedPes', split_part(moldability, '/', 4),
            'serialFraction', nullif(split_part(moldability, '/', 5), '')::numeric)
    end
$$;

create function pg_temp.preemption(preemption text) returns jsonb immutable language sql as $$
    select case when preemption is not null then jsonb_build_object(
        'maxParts', nullif(split_part(preemption, '/', 1), '')::integer,
        'step', split_part(preemption, '/', 2)::numeric,
        'moldableParts', split_part(preemption, '/', 3)::boolean) end
$$;

create function pg_temp.terms(
    scenario text, ready_time timestamptz, deadline timestamptz, duration bigint, shapes text, moldability text,
    preemption text, budget numeric, currency text, requires text, fix_after numeric, fix_before bigint
) returns jsonb immutable language sql as $$
    select jsonb_build_object(
        'window', jsonb_build_object('readyTime', pg_temp.seconds(ready_time), 'deadline', pg_temp.seconds(deadline)),
        'duration', duration,
        'shapes', (
            select jsonb_agg(jsonb_build_object(
                       'pes', split_part(shape, ':', 1)::integer, 'runTime', split_part(shape, ':', 2)::bigint) order by n)
            from unnest(string_to_array(shapes, ',')) with ordinality as each (shape, n)),
        'moldability', pg_temp.moldability(moldability),
        'preemption', pg_temp.preemption(preemption),
        'budget', pg_temp.money(budget, currency),
        'requires', (
            select coalesce(jsonb_object_agg(split_part(label, '=', 1), split_part(label, '=', 2)), '{}')
            from unnest(string_to_array(requires, ',')) as label),
        'fixing', jsonb_build_object('after', fix_after, 'before', fix_before),
        'scenario', scenario)
$$;

-- Of an event as well, which has the same columns.
create function pg_temp.content(id uuid, r reservation) returns jsonb immutable language sql as $$
    select jsonb_strip_nulls(jsonb_build_object(
        'id', id,
        'cluster', r.cluster,
        'origin', jsonb_build_object(
            'owner', r.owner, 'serviceClass', r.service_class, 'name', r.name, 'project', r.project, 'phi', r.phi,
            'tried', (
                select coalesce(jsonb_agg(jsonb_build_object(
                           'cluster', split_part(text, '/', 1), 'start', nullif(split_part(text, '/', 2), '')::bigint,
                           'outcome', split_part(text, '/', 3)) order by n), '[]')
                from unnest(string_to_array(r.tried, ' ')) with ordinality as each (text, n))),
        'terms', pg_temp.terms(
            r.scenario, r.ready_time, r.deadline, r.duration, r.shapes, r.moldability, r.preemption, r.budget, r.currency,
            r.requires, r.fix_after, r.fix_before),
        'placement', jsonb_build_object(
            'parts', coalesce(pg_temp.parts(r.parts), jsonb_build_array(jsonb_build_object(
                'slot', jsonb_build_object('start', pg_temp.seconds(r.start_at), 'end', pg_temp.seconds(r.end_at)),
                'pes', r.pes, 'peIds', r.pe_ids, 'steps', pg_temp.steps(r.preemption)))),
            'fixesAt', pg_temp.seconds(r.fixes_at),
            'turns', r.turns),
        'charge', jsonb_build_object(
            'price', pg_temp.money(r.price, r.currency), 'credit', pg_temp.money(r.credit, r.currency)),
        'status', jsonb_build_object(
            'state', r.state, 'reason', r.reason, 'holdExpiresAt', pg_temp.seconds(r.hold_expires_at),
            'claimBy', pg_temp.seconds(r.claim_by), 'createdAt', pg_temp.seconds(r.created_at),
            'updatedAt', pg_temp.seconds(r.updated_at), 'version', r.version,
            'flags', to_jsonb(string_to_array(r.flags, ','))),
        'proposal', case when r.proposal_number is not null then jsonb_build_object(
            'number', r.proposal_number,
            'terms', pg_temp.terms(
                r.proposal_scenario, r.proposal_ready_time, r.proposal_deadline, r.proposal_duration, r.proposal_shapes,
                r.proposal_moldability, r.proposal_preemption, r.proposal_budget, r.currency, r.proposal_requires,
                r.proposal_fix_after, r.proposal_fix_before),
            'incentive', pg_temp.money(r.proposal_incentive, r.currency),
            'by', r.proposal_by,
            'at', pg_temp.seconds(r.proposal_at),
            'expiresAt', pg_temp.seconds(r.proposal_expires_at)) end))
$$;

alter table event
    add content  text,
    add slowdown double precision,
    add waited   bigint;
comment on column event.content is 'the event as the journal has it; null where it tells of a cluster, an outage, a request or a queue';
comment on column event.start_at is 'of the reservation, like the columns from version to phi';
comment on column event.slowdown is 'of a reservation that was completed: from its ready time to its end, by the time it had PEs';
comment on column event.waited is 'of a batch job that has started: seconds since it was submitted';

update event set
    content = jsonb_strip_nulls(jsonb_build_object(
        'type', type,
        'at', pg_temp.seconds(at),
        'reservation', pg_temp.content(reservation, jsonb_populate_record(null::reservation, to_jsonb(event))),
        'move', case when moved_from is not null then
            jsonb_build_object('from', pg_temp.parts(moved_from), 'why', moved_why) end)),
    slowdown = case when type = 'COMPLETED' and at > start_at then
        extract(epoch from at - ready_time)::double precision / case when parts is null then extract(epoch from at - start_at)
            else (select sum(least(part[2]::bigint, pg_temp.seconds(at)) - part[1]::bigint)
                  from regexp_matches(parts, '(\d+)-(\d+)/', 'g') as part
                  where part[1]::bigint < pg_temp.seconds(at)) end end
where reservation is not null;

update event set
    content = jsonb_strip_nulls(jsonb_build_object(
        'type', type,
        'at', pg_temp.seconds(at),
        'job', jsonb_build_object(
            'id', job, 'cluster', cluster, 'owner', job_owner, 'name', job_name, 'pes', job_pes, 'estimate', job_estimate,
            'submittedAt', pg_temp.seconds(job_submitted_at), 'rank', job_rank, 'source', job_source, 'state', job_state,
            'run', case when job_started_at is not null then jsonb_build_object(
                'start', pg_temp.seconds(job_started_at),
                'taken', jsonb_build_object(
                    'start', pg_temp.seconds(job_taken_from), 'end', pg_temp.seconds(job_taken_until)),
                'peIds', job_pe_ids) end,
            'endedAt', pg_temp.seconds(job_ended_at)))),
    waited = case when type = 'JOB_STARTED' then pg_temp.seconds(at) - pg_temp.seconds(job_submitted_at) end
where job is not null;

alter table reservation add content text;
update reservation set content = pg_temp.content(id, reservation);
alter table reservation alter content set not null;
comment on column reservation.content is 'all of it, as the journal has it; the other columns repeat what is searched for and summed up';

-- whose reservation, or whose request
drop index event_of_owner;
update event set owner = request_owner where request is not null;
create index event_of_owner on event (owner, cluster, sequence) where owner is not null;

alter table event
    drop column name, drop column state, drop column scenario, drop column ready_time, drop column deadline, drop column duration,
    drop column pes, drop column budget, drop column end_at, drop column hold_expires_at, drop column created_at,
    drop column updated_at, drop column service_class, drop column requires, drop column fix_after, drop column fix_before,
    drop column fixes_at, drop column reason, drop column claim_by, drop column pe_ids, drop column shapes,
    drop column moldability, drop column preemption, drop column parts, drop column turns, drop column flags, drop column tried,
    drop column moved_from, drop column moved_why, drop column proposal_number, drop column proposal_scenario,
    drop column proposal_ready_time, drop column proposal_deadline, drop column proposal_duration, drop column proposal_shapes,
    drop column proposal_moldability, drop column proposal_preemption, drop column proposal_budget,
    drop column proposal_requires, drop column proposal_fix_after, drop column proposal_fix_before,
    drop column proposal_incentive, drop column proposal_by, drop column proposal_at, drop column proposal_expires_at,
    drop column request_owner, drop column job_owner, drop column job_name, drop column job_pes, drop column job_estimate,
    drop column job_submitted_at, drop column job_rank, drop column job_source, drop column job_state,
    drop column job_started_at, drop column job_taken_from, drop column job_taken_until, drop column job_pe_ids,
    drop column job_ended_at;

alter table reservation
    drop column name, drop column scenario, drop column ready_time, drop column deadline, drop column duration, drop column budget,
    drop column hold_expires_at, drop column created_at, drop column version, drop column service_class, drop column requires,
    drop column fix_after, drop column fix_before, drop column fixes_at, drop column credit, drop column reason,
    drop column claim_by, drop column pe_ids, drop column shapes, drop column moldability, drop column preemption,
    drop column turns, drop column flags, drop column phi, drop column tried, drop column proposal_number,
    drop column proposal_scenario, drop column proposal_ready_time, drop column proposal_deadline, drop column proposal_duration,
    drop column proposal_shapes, drop column proposal_moldability, drop column proposal_preemption,
    drop column proposal_budget, drop column proposal_requires, drop column proposal_fix_after,
    drop column proposal_fix_before, drop column proposal_incentive, drop column proposal_by, drop column proposal_at,
    drop column proposal_expires_at;
