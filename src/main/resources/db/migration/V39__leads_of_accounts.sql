-- An account may be told ahead of starts and ends in the events that it reads, without a webhook.
alter table account
    add column leads text;
comment on column account.leads is 'how long ahead starts and ends are announced, in seconds, with commas between; null: not at all';
