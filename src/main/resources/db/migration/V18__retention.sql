-- What has ended long ago leaves the tables for reading and the journal; what it adds up to stays.

-- The tables follow the journal, where each cluster comes before what it has.
alter table cluster_version drop constraint cluster_version_cluster_fkey;
alter table outage drop constraint outage_cluster_fkey;
alter table refusal drop constraint refusal_cluster_fkey;
alter table job drop constraint job_cluster_fkey;
alter table request drop constraint request_cluster_fkey;

alter table projection add kept_from timestamptz not null default '-infinity';
comment on column projection.kept_from is 'what had ended before has left the tables, and is part of hourly_figure';

create table exported (
    cluster  text primary key,
    sequence bigint not null
);
comment on table exported is 'how far the journal of each cluster is in an export that was found good';

create table hourly_figure (
    cluster    text not null,
    hour       timestamptz not null,
    type       text not null,
    is_first   boolean not null,
    currency   text not null,
    number     bigint not null,
    price      numeric,
    credit     numeric,
    slowdown   numeric not null,
    slowdowns  bigint not null,
    phi        numeric not null,
    phis       bigint not null,
    immediate  bigint not null,
    delay      numeric not null,
    delays     bigint not null,
    waited     numeric not null,
    waits      bigint not null,
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
