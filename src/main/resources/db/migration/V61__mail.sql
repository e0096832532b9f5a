create table mailbox (
    account text primary key,
    address text,
    is_proved boolean not null,
    kinds text not null,
    lead bigint not null check (lead > 0),
    daily_at integer check (daily_at between 0 and 23),
    zone text not null,
    version integer not null,
    check (address is not null or not is_proved)
);
comment on table mailbox is 'the mail address of an account, and what it gets there; without a row, an account has no address';
comment on column mailbox.is_proved is 'whether an administrator set the address, or its owner followed the link that was sent there';
comment on column mailbox.kinds is 'the kinds of news that it gets, with commas between';
comment on column mailbox.lead is 'how long ahead starts and ends are announced, in seconds';
comment on column mailbox.daily_at is 'the hour of the day at which it gets the news of a day in one mail; null: at once';

create table mail (
    id text primary key,
    account text not null,
    kind text,
    cluster text,
    sequence bigint,
    address text,
    noted_at timestamptz not null,
    due_at timestamptz not null,
    expires_at timestamptz not null,
    failures integer not null default 0,
    outcome text,
    ended_at timestamptz,
    check ((kind is null) = (address is not null)),
    check ((kind is null) = (cluster is null)),
    check ((cluster is null) = (sequence is null)),
    check ((outcome is null) = (ended_at is null))
);
create index mail_due on mail (due_at) where outcome is null;
create index mail_of_account on mail (account, noted_at);
comment on table mail is 'mail that waits, and what became of the mail of the last two days, so that none is sent twice';
comment on column mail.kind is 'the kind of news; null: the link that proves an address';
comment on column mail.sequence is 'the event of which it is, on its cluster';
comment on column mail.address is 'the address to prove';
comment on column mail.expires_at is 'when it is worth nothing any more';
comment on column mail.failures is 'how often a server put it off';
comment on column mail.outcome is 'null: it waits';

create table mail_told (
    cluster text primary key,
    sequence bigint not null
);
comment on table mail_told is 'the sequence up to which events have become mail';
