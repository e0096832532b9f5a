-- What an account has reserved can be read at URLs with a secret of their own.
alter table account
    add column feeds text;
comment on column account.feeds is 'its feeds, as a list in JSON, with the hashes of their secrets; null: none';

-- A feed tells of an account what is not long over, however much there was before.
create index reservation_of_owner_in_time on reservation (owner, end_at);
