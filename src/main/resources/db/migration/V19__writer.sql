-- Which process writes here: raised by each start, asked for by each transaction that no epoch of a cluster guards.
create table writer (
    is_only    boolean primary key default true check (is_only),
    generation bigint not null,
    process    uuid,
    name       text
);
comment on column writer.generation is 'whoever finds another one than its own has been replaced';
comment on column writer.name is 'of the process, for who reads this';
insert into writer (generation) values (0);

-- What other Berths are asked to hold, recorded before they are asked: whatever becomes of the answer, it is known here.
create table asked (
    key         uuid primary key,
    reservation uuid not null,
    attempt     integer not null,
    cluster     text not null,
    question    text not null,
    is_open     boolean not null,
    asked_at    timestamptz not null,
    ends_at     timestamptz not null,
    unique (reservation, attempt)
);
comment on column asked.key is 'the Idempotency-Key, made of the reservation and the attempt';
comment on column asked.is_open is 'whether something may be held there that is not in mirror';
comment on column asked.ends_at is 'when a hold that was granted has ended by itself';
create index asked_open on asked (asked_at) where is_open;
