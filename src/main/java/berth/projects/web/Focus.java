package berth.projects.web;

import berth.engine.ProjectLedger.Charged;
import berth.http.Csv;
import berth.http.Texts;
import berth.projects.Project;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.LocalDate;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Writes what a project was charged in a month in the columns of FOCUS 1.2, the FinOps Open Cost and Usage Specification. FOCUS treats a
 * reservation as a capacity reservation: its used and its unused PE-seconds get separate lines, which share its price in proportion.
 */
final class Focus {

    static final List<String> COLUMNS = List.of(
            "BilledCost",
            "BillingAccountId",
            "BillingAccountName",
            "BillingCurrency",
            "BillingPeriodEnd",
            "BillingPeriodStart",
            "CapacityReservationId",
            "CapacityReservationStatus",
            "ChargeCategory",
            "ChargeClass",
            "ChargeDescription",
            "ChargeFrequency",
            "ChargePeriodEnd",
            "ChargePeriodStart",
            "ConsumedQuantity",
            "ConsumedUnit",
            "ContractedCost",
            "EffectiveCost",
            "InvoiceIssuerName",
            "ListCost",
            "PricingCategory",
            "PricingQuantity",
            "PricingUnit",
            "ProviderName",
            "PublisherName",
            "RegionId",
            "RegionName",
            "ResourceId",
            "ResourceName",
            "ResourceType",
            "ServiceCategory",
            "ServiceName",
            "ServiceSubcategory",
            "SubAccountId",
            "SubAccountName",
            "Tags");

    private static final String PROVIDER = "Berth";
    private static final String HOURS = "PE-Hours";

    private final Project project;
    private final YearMonth month;

    Focus(Project project, YearMonth month) {
        this.project = project;
        this.month = month;
    }

    /** Returns the start of the month in UTC, in seconds since the epoch. */
    long begin() {
        return second(month.atDay(1));
    }

    /** Returns the start of the next month in UTC, in seconds since the epoch. */
    long end() {
        return second(month.plusMonths(1).atDay(1));
    }

    private static long second(LocalDate day) {
        return day.atStartOfDay().toEpochSecond(ZoneOffset.UTC);
    }

    /** Returns the lines of one reservation. */
    List<List<String>> lines(Charged charged) {
        var lines = new ArrayList<List<String>>();
        var price = charged.amounts().price();
        if (price.signum() < 0) {
            lines.add(line(charged, "Credit", "", price, 0, "Credit for returned PE-time that others booked"));
            return lines;
        }
        var credit = charged.amounts().credit();
        boolean isCredited = credit.signum() > 0;
        boolean isUsage = charged.peSeconds().charged() > 0;
        if (!isCredited || isUsage) {
            lines.addAll(usage(charged));
        }
        if (isCredited) {
            var why = isUsage ? "Credit for PEs that the run lost" : "Credit for a breached reservation";
            lines.add(line(charged, "Credit", "", credit.negate(), 0, why));
        }
        return lines;
    }

    private List<List<String>> usage(Charged charged) {
        long all = charged.peSeconds().charged();
        long used = Math.min(charged.peSeconds().used(), all);
        long unused = all - used;
        var price = charged.amounts().price();
        var ofUsed = all == 0
                ? price
                : price.multiply(BigDecimal.valueOf(used))
                        .divide(
                                BigDecimal.valueOf(all),
                                charged.amounts().currency().getDefaultFractionDigits(),
                                RoundingMode.HALF_UP);
        var lines = new ArrayList<List<String>>();
        if (used > 0 || unused == 0) {
            lines.add(line(charged, "Usage", "Used", ofUsed, used, "Reserved PE-hours that were used"));
        }
        if (unused > 0) {
            lines.add(line(
                    charged,
                    "Usage",
                    "Unused",
                    price.subtract(ofUsed),
                    unused,
                    "Reserved PE-hours that were not used"));
        }
        return lines;
    }

    private List<String> line(
            Charged charged, String category, String status, BigDecimal cost, long peSeconds, String description) {
        boolean isUsage = category.equals("Usage");
        boolean isUsed = status.equals("Used") && peSeconds > 0;
        var amount = Charges.money(cost, charged.amounts().currency());
        var hours = isUsage ? Charges.hours(peSeconds).toPlainString() : "";
        var run = charged.run();
        var cluster = run.cluster().value();
        Map<String, String> values = new LinkedHashMap<>();
        values.put("BilledCost", amount);
        values.put("BillingAccountId", "berth");
        values.put("BillingAccountName", PROVIDER);
        values.put("BillingCurrency", charged.amounts().currency().getCurrencyCode());
        values.put("BillingPeriodStart", Texts.instant(begin()).toString());
        values.put("BillingPeriodEnd", Texts.instant(end()).toString());
        values.put("CapacityReservationId", run.reservation().toString());
        values.put("CapacityReservationStatus", isUsage ? status : "");
        values.put("ChargeCategory", category);
        values.put("ChargeDescription", description);
        values.put("ChargeFrequency", isUsage ? "Usage-Based" : "One-Time");
        // a reservation that began in an earlier month is charged in the month in which it ended
        values.put(
                "ChargePeriodStart",
                Texts.instant(Math.max(
                                begin(), Math.min(run.start(), charged.place().at())))
                        .toString());
        values.put(
                "ChargePeriodEnd",
                Texts.instant(Math.min(end(), charged.place().at() + 1)).toString());
        values.put("ConsumedQuantity", isUsed ? hours : "");
        values.put("ConsumedUnit", isUsed ? HOURS : "");
        values.put("ContractedCost", amount);
        values.put("EffectiveCost", amount);
        values.put("InvoiceIssuerName", PROVIDER);
        values.put("ListCost", amount);
        values.put("PricingCategory", isUsage ? "Dynamic" : "");
        values.put("PricingQuantity", hours);
        values.put("PricingUnit", isUsage ? HOURS : "");
        values.put("ProviderName", PROVIDER);
        values.put("PublisherName", PROVIDER);
        values.put("RegionId", cluster);
        values.put("RegionName", cluster);
        values.put("ResourceId", run.reservation().toString());
        values.put("ResourceName", Csv.text(run.name().orElse("")));
        values.put("ResourceType", "Reservation");
        values.put("ServiceCategory", "Compute");
        values.put("ServiceName", "Advance reservation");
        values.put("ServiceSubcategory", "Other (Compute)");
        values.put("SubAccountId", project.id());
        values.put("SubAccountName", Csv.text(project.name()));
        values.put("Tags", "{\"account\":\"%s\"}".formatted(run.owner().value()));
        return COLUMNS.stream().map(column -> values.getOrDefault(column, "")).toList();
    }
}
