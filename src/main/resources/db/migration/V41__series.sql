-- Series of reservations. Their occurrences are reservations, or requests that were rejected, each with its day in the series' time zone.

create table series (
    id uuid primary key,
    cluster text not null references cluster,
    owner text not null,
    state text not null,
    content text not null,
    decided int not null check (decided >= 0),
    version int not null check (version >= 0),
    created_at timestamptz not null
);
comment on column series.content is 'who wants what when, as JSON';
comment on column series.decided is 'how many of its occurrences have been decided, the first ones';
create index series_of_owner on series (owner, id);
create index series_at_work on series (id) where state <> 'DECIDED';

alter table reservation
    add series uuid;
create index reservation_of_series on reservation (series) where series is not null;

alter table request
    add series uuid,
    add occurrence date,
    add check ((series is null) = (occurrence is null));
create index request_of_series on request (series) where series is not null;
