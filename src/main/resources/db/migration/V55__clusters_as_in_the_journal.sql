-- A cluster is stored as it is in the journal, and so are the events of clusters, which had their content in cluster_version.

-- The names of nodes, of which the column has the short form, such as n[1-3,7].
create function pg_temp.names(list text) returns jsonb language sql as $$
    select coalesce(
        jsonb_agg(coalesce(parts[1], '') || coalesce(lpad(number::text, greatest(length(low), length(number::text)), '0'), '')
                  order by place, span, number), '[]')
    from regexp_matches(list, '([^][,]+)(\[[^]]*\])?|(\[[^]]*\])', 'g') with ordinality as item (parts, place)
        left join lateral unnest(string_to_array(btrim(coalesce(parts[2], parts[3]), '[]'), ',')) with ordinality as range (ends, span)
            on true
        left join lateral split_part(ends, '-', 1) as low on true
        left join lateral generate_series(low::integer, coalesce(nullif(split_part(ends, '-', 2), ''), low)::integer) as number on true
$$;

create function pg_temp.content(c cluster_version) returns jsonb language sql as $$
    select jsonb_strip_nulls(jsonb_build_object(
        'id', c.cluster,
        'pes', c.pes,
        'nodes', jsonb_build_object('granule', c.granule, 'names', pg_temp.names(c.pe_names)),
        'rating', c.rating,
        'labels', (
            select coalesce(jsonb_object_agg(split_part(label, '=', 1), split_part(label, '=', 2)), '{}')
            from unnest(string_to_array(c.labels, ',')) as label),
        'binding', c.binding,
        'admission', c.admission,
        'policy', jsonb_build_object(
            'placement', c.placement,
            'replanning', jsonb_build_object(
                'juggling', c.juggling, 'order', c.replan_order, 'reshaping', c.reshaping, 'pullForward', c.pull_forward,
                'maxMoves', c.max_moves,
                'moves', jsonb_build_object(
                    'bounds', jsonb_build_object('maxMoves', c.max_moves_per_reservation, 'maxShift', c.max_shift),
                    'rebate', c.move_rebate)),
            'horizon', c.horizon,
            'notice', c.notice,
            'claimWithin', c.claim_within,
            'alternativesMaxPhi', c.alternatives_max_phi,
            'availability', jsonb_build_object(
                'method', c.availability, 'makespanWeight', c.makespan_weight, 'minAvailability', c.min_availability,
                'maxSlots', c.max_slots, 'minSlotGap', c.min_slot_gap),
            'limits', jsonb_build_object(
                'leadTime', c.lead_time, 'maxDuration', c.max_duration, 'reservableShare', c.reservable_share,
                'advanceShare', c.advance_share, 'maxHold', c.max_hold, 'maxJobDuration', c.max_job_duration),
            'jobs', c.jobs,
            'visibility', c.visibility,
            'enforcement', c.enforcement,
            'defaultSlack', c.default_slack,
            'projects', c.projects),
        'intake', jsonb_build_object(
            'order', c.intake_order, 'window', c.intake_window, 'levels', c.intake_levels, 'jobsPerUser', c.intake_jobs_per_user),
        'tariff', jsonb_build_object(
            'function', c.price_function,
            'currency', c.currency,
            'pricePerPeHour', c.price_per_pe_hour,
            'premiumFactor', c.premium_factor,
            'flexibilityDiscount', c.flexibility_discount,
            'latenessDiscount', c.lateness_discount,
            'latenessScale', c.lateness_scale,
            'preemptionIncentive', c.preemption_incentive,
            'shapeDiscount', c.shape_discount,
            'renegotiationSurcharge', c.renegotiation_surcharge,
            'breachCredit', c.breach_credit,
            'loadProfile', (
                select coalesce(jsonb_agg(jsonb_build_object(
                           'above', split_part(step, ':', 1)::numeric, 'factor', split_part(step, ':', 2)::numeric) order by n), '[]')
                from unnest(string_to_array(c.load_profile, ',')) with ordinality as each (step, n)),
            'cancellation', jsonb_build_object('freeUntil', c.cancellation_free_until, 'share', c.cancellation_share),
            'returnShare', c.return_share,
            'flexibilityScale', c.flexibility_scale),
        'version', c.version))
$$;

alter table cluster add content text;
update cluster set content = pg_temp.content(
    jsonb_populate_record(null::cluster_version, to_jsonb(cluster) || jsonb_build_object('cluster', id)));
alter table cluster alter content set not null;
comment on column cluster.content is 'the cluster as JSON, as in the journal';

update event
set content = jsonb_build_object(
    'type', type, 'at', extract(epoch from at)::bigint, 'cluster', pg_temp.content(changed))
from cluster_version as changed
where changed.cluster = event.cluster and changed.version = event.cluster_version;
comment on column event.content is 'the event as JSON, as in the journal; null for an outage, a request or a replaced queue';

alter table event
    drop constraint event_concerns_one,
    drop column cluster_version,
    add constraint event_concerns_one check (
        num_nonnulls(reservation, outage, job, jobs_waiting, request)
            = case when type in ('CLUSTER_CHANGED', 'BUDGET_LOW') then 0 else 1 end);

drop function pg_temp.content(cluster_version);
drop table cluster_version;

alter table cluster
    drop column pes, drop column granule, drop column pe_names, drop column rating, drop column labels, drop column binding,
    drop column admission, drop column placement, drop column replan_order, drop column juggling, drop column reshaping,
    drop column pull_forward, drop column max_moves, drop column max_moves_per_reservation, drop column max_shift,
    drop column move_rebate, drop column alternatives_max_phi, drop column availability, drop column makespan_weight,
    drop column min_availability, drop column max_slots, drop column min_slot_gap, drop column horizon, drop column notice,
    drop column claim_within, drop column default_slack, drop column lead_time, drop column max_duration,
    drop column reservable_share, drop column advance_share, drop column max_hold, drop column max_job_duration, drop column jobs,
    drop column visibility, drop column enforcement, drop column projects, drop column intake_order, drop column intake_window,
    drop column intake_levels, drop column intake_jobs_per_user, drop column price_function, drop column currency,
    drop column price_per_pe_hour, drop column premium_factor, drop column flexibility_discount, drop column lateness_discount,
    drop column lateness_scale, drop column preemption_incentive, drop column shape_discount,
    drop column renegotiation_surcharge, drop column breach_credit, drop column load_profile,
    drop column cancellation_free_until, drop column cancellation_share, drop column return_share,
    drop column flexibility_scale, drop column version;
