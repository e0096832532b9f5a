-- Co-allocations, the origins of reservations at other Berths and the parts of runs are stored as JSON, in the form of the journal.

create function pg_temp.second(at timestamptz) returns bigint language sql as $$
    select extract(epoch from at)::bigint
$$;

alter table coallocation add content text;
update coallocation set content = jsonb_strip_nulls(jsonb_build_object(
    'id', id, 'owner', owner, 'name', name, 'project', project, 'state', state, 'start', pg_temp.second(start_at),
    'parts', (
        select coalesce(jsonb_agg(jsonb_build_object('cluster', cluster, 'reservation', reservation) order by n), '[]')
        from unnest(clusters, reservations) with ordinality as part (cluster, reservation, n)),
    'isFinished', settled, 'isWatched', watched,
    'createdAt', pg_temp.second(created_at), 'updatedAt', pg_temp.second(updated_at)));
alter table coallocation
    alter content set not null,
    drop column owner, drop column name, drop column project, drop column state, drop column start_at, drop column clusters;
comment on column coallocation.content is 'the co-allocation as JSON';

alter table mirror add origin text;
update mirror set origin = jsonb_strip_nulls(jsonb_build_object(
    'owner', owner, 'serviceClass', service_class, 'name', name, 'project', project,
    'tried', (
        select coalesce(jsonb_agg(jsonb_build_object(
                   'cluster', split_part(text, '/', 1), 'start', nullif(split_part(text, '/', 2), '')::bigint,
                   'outcome', split_part(text, '/', 3)) order by n), '[]')
        from unnest(string_to_array(tried, ' ')) with ordinality as each (text, n)),
    'firstVersion', first_version));
alter table mirror
    alter origin set not null,
    drop column service_class, drop column name, drop column tried, drop column first_version;
comment on column mirror.origin is 'who requested the reservation, as JSON, as in the journal';

update reservation set parts = (
    select jsonb_agg(jsonb_strip_nulls(jsonb_build_object(
               'slot', jsonb_build_object('start', part[1]::bigint, 'end', part[2]::bigint),
               'pes', part[3]::integer, 'peIds', nullif(part[5], ''), 'steps', part[4]::integer)) order by n)
    from unnest(string_to_array(parts, ' ')) with ordinality as each (text, n),
        regexp_match(text, '^(\d+)-(\d+)/(\d+)/(\d+)/(.*)$') as part)
where parts is not null;
comment on column reservation.parts is 'what the run had, in order of time, as JSON; null if it had the same PEs all the time';
