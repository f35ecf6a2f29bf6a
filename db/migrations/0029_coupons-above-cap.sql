ALTER TABLE "coupons" DROP CONSTRAINT "coupons_cap";--> statement-breakpoint
ALTER TABLE "coupons" ADD CONSTRAINT "coupons_cap" CHECK ("coupons"."taken" >= 0);