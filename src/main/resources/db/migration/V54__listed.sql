create view listed as
    select
        id, id as reservation, null::uuid as mirror, null::uuid as request, true as is_listed,
        owner, project, cluster, state, start_at, end_at
    from reservation
    union all
    select id, null, id, null, true, owner, project, cluster, state, start_at, end_at
    from mirror
    union all
    select
        id,
        null,
        null,
        id,
        -- one that the broker decides may be booked already; counted, because exists would read all ids of both tables
        state <> 'GRANTED'
            and (
                state <> 'PENDING'
                or cluster is not null
                or (select count(*) from reservation where reservation.id = request.id) = 0
                and (select count(*) from mirror where mirror.id = request.id) = 0
            ),
        owner, project, cluster, state, null::timestamptz, null::timestamptz
    from request;
comment on view listed is
    'reservations here, reservations at other Berths and requests for one, which have their ids in common: the columns for searches';
comment on column listed.reservation is 'the id, if the whole row is there; likewise for the other two';
comment on column listed.is_listed is
    'false for a request that has become a reservation; a column, because with a condition the indexes would not give the order of ids';

-- as reservations have one
create index mirror_of_project on mirror (project, id) where project is not null;
create index request_of_project on request (project, id) where project is not null and state <> 'GRANTED';
