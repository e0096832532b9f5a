-- Requests, batch jobs and outages are stored as they are in the journal, beside the columns for searches, and so are the events of
-- requests and outages, which were derived from their rows.

create function pg_temp.seconds(at timestamptz) returns bigint language sql as $$
    select extract(epoch from at)::bigint
$$;

create function pg_temp.moldability(moldability text) returns jsonb language sql as $$
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

create function pg_temp.preemption(preemption text) returns jsonb language sql as $$
    select case when preemption is not null then jsonb_build_object(
        'maxParts', nullif(split_part(preemption, '/', 1), '')::integer,
        'step', nullif(split_part(preemption, '/', 2), '')::numeric,
        'moldableParts', split_part(preemption, '/', 3)::boolean,
        'steps', nullif(split_part(preemption, '/', 4), '')::integer) end
$$;

alter table request add content text, add choice text;
update request set
    content = jsonb_strip_nulls(jsonb_build_object(
        'id', id,
        'cluster', cluster,
        'origin', jsonb_build_object(
            'owner', owner, 'serviceClass', service_class, 'name', name, 'project', project, 'tried', '[]'::jsonb,
            'users', string_to_array(users, ','),
            'occurrence', case when series is not null then jsonb_build_object('series', series, 'date', occurrence) end),
        'priority', priority,
        'terms', jsonb_build_object(
            'readyTime', pg_temp.seconds(ready_time),
            'deadline', pg_temp.seconds(deadline),
            'duration', duration,
            'pes', pes,
            'moldability', pg_temp.moldability(moldability),
            'preemption', pg_temp.preemption(preemption),
            'budget', case when budget is not null then jsonb_build_object('amount', budget, 'currency', currency) end,
            'requires', (
                select coalesce(jsonb_object_agg(split_part(label, '=', 1), split_part(label, '=', 2)), '{}')
                from unnest(string_to_array(requires, ',')) as label),
            'fixing', jsonb_build_object('after', fix_after, 'before', fix_before),
            'autoExtension', case when auto_extend_step is not null then
                jsonb_build_object('step', auto_extend_step, 'until', pg_temp.seconds(auto_extend_until)) end,
            'mobility', jsonb_build_object('maxMoves', max_moves, 'maxShift', max_shift)),
        'start', pg_temp.seconds(start_at),
        'leeway', case when leeway_earlier is not null then
            jsonb_build_object('maxPhi', leeway_max_phi, 'earlier', leeway_earlier) end,
        'arrivedAt', pg_temp.seconds(arrived_at),
        'state', state,
        'reason', upper(replace(reason, '-', '_')),
        'endedAt', pg_temp.seconds(ended_at),
        'waitUntil', pg_temp.seconds(wait_until),
        'ticket', ticket)),
    choice = case when preference is not null then jsonb_build_object(
        'preference', jsonb_build_object('weights', (
            select jsonb_object_agg(split_part(weight, '=', 1), split_part(weight, '=', 2)::double precision)
            from unnest(string_to_array(preference, ',')) as weight)),
        'only', coalesce(to_jsonb(string_to_array(clusters, ',')), '[]')) end;

update event
set content = jsonb_build_object(
    'type', type,
    'at', pg_temp.seconds(at),
    'request', case type
        when 'REQUESTED' then jsonb_set(request.content::jsonb - array['reason', 'endedAt', 'ticket'], '{state}', '"PENDING"')
        when 'WAITING' then jsonb_set(request.content::jsonb - array['reason', 'endedAt'], '{state}', '"WAITING"')
        else request.content::jsonb end)
from request
where request.id = event.request;

alter table request
    alter content set not null,
    add check ((cluster is null) = (choice is not null)),
    drop column service_class, drop column name, drop column priority, drop column ready_time, drop column deadline,
    drop column duration, drop column pes, drop column moldability, drop column preemption, drop column budget, drop column currency,
    drop column requires, drop column fix_after, drop column fix_before, drop column start_at, drop column arrived_at,
    drop column reason, drop column preference, drop column leeway_max_phi, drop column leeway_earlier, drop column clusters,
    drop column users, drop column wait_until, drop column ticket, drop column auto_extend_step, drop column auto_extend_until,
    drop column occurrence, drop column max_moves, drop column max_shift;
comment on column request.content is 'the request as JSON, as in the journal';
comment on column request.choice is 'how the cluster of a request without one is chosen, as JSON';

alter table job add content text;
update job set content = jsonb_strip_nulls(jsonb_build_object(
    'id', id, 'cluster', cluster, 'owner', owner, 'name', name, 'pes', pes, 'estimate', estimate,
    'submittedAt', pg_temp.seconds(submitted_at), 'rank', rank, 'source', source, 'state', state,
    'run', case when started_at is not null then jsonb_build_object(
        'start', pg_temp.seconds(started_at),
        'taken', jsonb_build_object('start', pg_temp.seconds(taken_from), 'end', pg_temp.seconds(taken_until)),
        'peIds', pe_ids) end,
    'endedAt', pg_temp.seconds(ended_at)));
alter table job
    alter content set not null,
    drop column name, drop column estimate, drop column rank, drop column taken_from, drop column pe_ids;
comment on column job.content is 'the job as JSON, as in the journal';

alter table outage add content text;
update outage set content = jsonb_strip_nulls(jsonb_build_object(
    'id', id, 'cluster', cluster, 'pes', pes, 'peIds', pe_ids, 'from', pg_temp.seconds(from_at), 'to', pg_temp.seconds(to_at),
    'reason', reason, 'source', source, 'moved', moved, 'failed', failed,
    'beginsAt', pg_temp.seconds(begins_at), 'endedAt', pg_temp.seconds(ended_at)));

-- the event of an outage that is announced has its beginning, except in the journal of 0.1.0
update event
set content = jsonb_build_object(
    'type', type,
    'at', pg_temp.seconds(at),
    'outage', case
        when type = 'OUTAGE_ENDED' then outage.content::jsonb
        when type = 'OUTAGE_RECORDED' and from_at > at
            and (begins_at is not null or outage.id in (select began.outage from event began where began.type = 'OUTAGE_BEGAN'))
            then jsonb_set(outage.content::jsonb - 'endedAt', '{beginsAt}', to_jsonb(pg_temp.seconds(from_at)))
        else outage.content::jsonb - array['beginsAt', 'endedAt'] end)
from outage
where outage.id = event.outage;
comment on column event.content is 'the event as JSON, as in the journal; null for a replaced queue';

alter table outage
    alter content set not null,
    drop column pes, drop column pe_ids, drop column reason, drop column source, drop column moved, drop column failed,
    drop column begins_at;
comment on column outage.content is 'the outage as JSON, as in the journal';
