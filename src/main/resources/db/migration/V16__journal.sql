-- The truth about a cluster is its journal, one row for each batch that was decided together. All other tables that speak of
-- clusters follow it, and are for reading.

-- Who may write the journal of a cluster, and how far it goes: all that a commit changes besides adding its row.
create table head (
    cluster  text primary key,
    writer   uuid,
    epoch    bigint not null,
    sequence bigint not null
) with (fillfactor = 50);
comment on column head.writer is 'the process that took the cluster over last';
comment on column head.epoch is 'raised by each takeover and each settled doubt; a batch of an older epoch is refused';
comment on column head.sequence is 'number of the last recorded event';
insert into head (cluster, writer, epoch, sequence) select id, writer, epoch, sequence from cluster;

create table journal (
    cluster        text not null,
    first_sequence bigint not null,
    last_sequence  bigint not null,
    epoch          bigint not null,
    at             timestamptz not null,
    format         smallint not null,
    entry          bytea not null,
    primary key (cluster, last_sequence)
);
comment on table journal is 'a cluster that was created is its row of last_sequence 0; history of before version 16 is in event';
comment on column journal.entry is 'events and keys as JSON, compressed by zlib: docs/adr/0029-the-journal.md';
-- it is compressed already
alter table journal alter column entry set storage external;

-- How far the tables for reading have come.
create table projection (
    cluster  text primary key,
    sequence bigint not null
) with (fillfactor = 50);
insert into projection (cluster, sequence) select id, sequence from cluster;

alter table cluster
    drop column writer,
    drop column epoch,
    drop column sequence;
