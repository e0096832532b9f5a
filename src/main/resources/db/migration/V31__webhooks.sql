-- What somebody wants to be told of, and where; and how far that has been told.
create table webhook (
    id            uuid primary key,
    owner         text not null,
    url           text not null,
    types         text not null,
    leads         text not null,
    format        text not null check (format in ('THIN', 'FULL', 'CLOUDEVENTS')),
    sealed_secret text not null,
    sealed_former text,
    former_until  timestamptz,
    disabled      text check (disabled in ('OWNER', 'GONE', 'FAILED')),
    disabled_at   timestamptz,
    created_at    timestamptz not null,
    version       integer not null,
    check ((sealed_former is null) = (former_until is null)),
    check ((disabled is null) = (disabled_at is null))
);
comment on column webhook.types is 'of events, with commas between; empty: all';
comment on column webhook.leads is 'how long ahead starts and ends are announced, in seconds, with commas between';
comment on column webhook.sealed_former is 'the secret before, which signs too until former_until';
comment on column webhook.disabled is 'why nothing is delivered; null: it is';

create table webhook_position (
    webhook   uuid not null,
    cluster   text not null,
    delivered bigint not null,
    failures  integer not null,
    next_at   timestamptz,
    primary key (webhook, cluster)
);
comment on table webhook_position is 'of webhooks that may not be as far as webhook_told';
comment on column webhook_position.delivered is 'the sequence up to which nothing is left to tell';
comment on column webhook_position.failures is 'how often the next message was sent in vain';

create table webhook_told (
    cluster  text primary key,
    sequence bigint not null
);
comment on table webhook_told is 'how far webhooks have been told of each cluster that have no position of their own';
insert into webhook_told select cluster, sequence from head;
