-- Requests for room that were refused, for people who ask why. Berth keeps them for a month.

create table refused_request (
    id uuid primary key,
    at timestamptz not null,
    kind text not null,
    account text not null,
    project text,
    clusters text[] not null,
    reservation uuid,
    terms text not null,
    start_at timestamptz,
    pes integer not null,
    lead bigint not null,
    code text not null,
    detail text not null,
    would_deadline timestamptz,
    would_pes integer,
    would_duration bigint,
    request_id text
);
comment on table refused_request is 'requests for room that were refused; not from the journal, and incomplete if too many came at a time';
comment on column refused_request.id is 'in the order in which they were recorded';
comment on column refused_request.clusters is 'the clusters that the request allowed; empty if any';
comment on column refused_request.reservation is 'the reservation that was to change; null for a new one';
comment on column refused_request.terms is 'the requested terms as JSON, as in the journal';
comment on column refused_request.lead is 'seconds from the request to its earliest start';

create index refused_request_of_account on refused_request (account, id);
create index refused_request_of_project on refused_request (project, id) where project is not null;
create index refused_request_in_time on refused_request (at);

-- the summary of what was accepted and refused
create index event_accepted on event (at) where type in ('HELD', 'CONFIRMED') and version = 0;
