-- Every table as of the first baseline. Two things are written by hand, because drizzle-kit knows neither: the extensions,
-- and the partitions of `downloads` and `listens`. Functions and triggers follow in migrations of their own.
CREATE EXTENSION IF NOT EXISTS unaccent;--> statement-breakpoint
CREATE EXTENSION IF NOT EXISTS pg_trgm;--> statement-breakpoint
CREATE TABLE "grants" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "grants_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"user_id" bigint NOT NULL,
	"product_id" bigint NOT NULL,
	"source" text NOT NULL,
	"starts_at" timestamp with time zone DEFAULT now() NOT NULL,
	"drips_from" timestamp with time zone DEFAULT now() NOT NULL,
	"ends_at" timestamp with time zone,
	"renews" boolean DEFAULT false NOT NULL,
	"renewal_stopped_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "grants_source" CHECK ("grants"."source" in ('follow', 'subscription', 'purchase', 'gift'))
);
--> statement-breakpoint
CREATE TABLE "account_exports" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_id" bigint NOT NULL,
	"object_key" text,
	"bytes" bigint,
	"day" date NOT NULL,
	"requested_at" timestamp with time zone NOT NULL,
	"ready_at" timestamp with time zone,
	"expires_at" timestamp with time zone,
	"failed_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "billing_details" (
	"user_id" bigint PRIMARY KEY NOT NULL,
	"iban" text,
	"paypal_email" text,
	"tax_number" text,
	"billing_name" text,
	"street" text,
	"postal_code" text,
	"city" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "email_changes" (
	"user_id" bigint PRIMARY KEY NOT NULL,
	"new_email" text NOT NULL,
	"old_confirmed_at" timestamp with time zone,
	"new_confirmed_at" timestamp with time zone,
	"expires_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "email_tokens" (
	"hash" text PRIMARY KEY NOT NULL,
	"user_id" bigint NOT NULL,
	"purpose" text NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"used_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "notification_opt_outs" (
	"user_id" bigint NOT NULL,
	"topic" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "notification_opt_outs_user_id_topic_pk" PRIMARY KEY("user_id","topic")
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" bigint NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"last_used_at" timestamp with time zone DEFAULT now() NOT NULL,
	"channel" text DEFAULT 'web' NOT NULL,
	"user_agent" text,
	"country" text,
	"works_for" bigint,
	"confirmed_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "users" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "users_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"email" text NOT NULL,
	"name" text NOT NULL,
	"password_hash" text,
	"signed_up_with" text DEFAULT 'password' NOT NULL,
	"country" text,
	"language" text,
	"currency" text NOT NULL,
	"description" text,
	"time_zone" text,
	"birth_date" date,
	"parental_permission_at" timestamp with time zone,
	"avatar_key" text,
	"email_verified_at" timestamp with time zone,
	"terms_accepted_at" timestamp with time zone NOT NULL,
	"marketing_consented_at" timestamp with time zone,
	"plan_banner_hidden_at" timestamp with time zone,
	"sign_up_source" jsonb,
	"sign_up_reason" text,
	"page_shared_at" timestamp with time zone,
	"suspended_at" timestamp with time zone,
	"deletion_requested_at" timestamp with time zone,
	"deletion_due_at" timestamp with time zone,
	"deleted_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "archive_entries" (
	"archive_id" uuid NOT NULL,
	"position" integer NOT NULL,
	"name" text NOT NULL,
	"storage_key" text,
	"bytes" bigint DEFAULT 0 NOT NULL,
	"stored_bytes" bigint,
	"offset" bigint,
	"crc32" bigint,
	"sha256" text,
	"rows" integer,
	"is_missing" boolean DEFAULT false NOT NULL,
	CONSTRAINT "archive_entries_archive_id_position_pk" PRIMARY KEY("archive_id","position")
);
--> statement-breakpoint
CREATE TABLE "archive_import_ids" (
	"archive_id" uuid NOT NULL,
	"table" text NOT NULL,
	"old_id" bigint NOT NULL,
	"new_id" bigint NOT NULL,
	CONSTRAINT "archive_import_ids_archive_id_table_old_id_pk" PRIMARY KEY("archive_id","table","old_id")
);
--> statement-breakpoint
CREATE TABLE "archive_imports" (
	"archive_id" uuid PRIMARY KEY NOT NULL,
	"creator_id" bigint,
	"started_at" timestamp with time zone NOT NULL,
	"ended_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "creator_archives" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"creator_id" bigint NOT NULL,
	"requested_by" bigint,
	"step" integer DEFAULT 0 NOT NULL,
	"parts" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"bytes" bigint DEFAULT 0 NOT NULL,
	"files_bytes" bigint,
	"requested_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	"ready_at" timestamp with time zone,
	"expires_at" timestamp with time zone,
	"failed_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "contacts" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "contacts_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"creator_id" bigint NOT NULL,
	"email" text NOT NULL,
	"name" text DEFAULT '' NOT NULL,
	"source" text NOT NULL,
	"status" text NOT NULL,
	"language" text NOT NULL,
	"confirmed_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "contacts_status" CHECK ("contacts"."status" in ('pending', 'active', 'inactive')),
	CONSTRAINT "contacts_source" CHECK ("contacts"."source" in ('form', 'follow', 'manual', 'import'))
);
--> statement-breakpoint
CREATE TABLE "disputes" (
	"provider_id" text PRIMARY KEY NOT NULL,
	"sale_id" bigint NOT NULL,
	"amount_minor" integer NOT NULL,
	"status" text NOT NULL,
	"reason" text NOT NULL,
	"answer_by" timestamp with time zone,
	"disputed_at" timestamp with time zone NOT NULL,
	"closed_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "end_refunds" (
	"subscription_id" bigint NOT NULL,
	"payment_id" text NOT NULL,
	"amount_minor" integer NOT NULL,
	"currency" text NOT NULL,
	"status" text DEFAULT 'due' NOT NULL,
	"attempt" integer DEFAULT 0 NOT NULL,
	"due_at" timestamp with time zone NOT NULL,
	"refund_id" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "end_refunds_subscription_id_payment_id_pk" PRIMARY KEY("subscription_id","payment_id"),
	CONSTRAINT "end_refunds_amount" CHECK ("end_refunds"."amount_minor" > 0)
);
--> statement-breakpoint
CREATE TABLE "receipt_counters" (
	"legal_entity" text PRIMARY KEY NOT NULL,
	"last" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "refunds" (
	"provider_id" text PRIMARY KEY NOT NULL,
	"sale_id" bigint NOT NULL,
	"amount_minor" integer NOT NULL,
	"status" text NOT NULL,
	"reason" text,
	"refunded_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sales" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "sales_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"payment_id" text NOT NULL,
	"charge_id" text,
	"invoice_id" text,
	"checkout_id" uuid,
	"subscription_id" bigint,
	"purpose" text NOT NULL,
	"user_id" bigint,
	"email" text,
	"creator_id" bigint NOT NULL,
	"product_id" bigint,
	"coupon_id" bigint,
	"name" text NOT NULL,
	"every" text,
	"amount_minor" integer NOT NULL,
	"currency" text NOT NULL,
	"discount_minor" integer DEFAULT 0 NOT NULL,
	"refunded_minor" integer DEFAULT 0 NOT NULL,
	"plan" text NOT NULL,
	"commission_basis_points" integer NOT NULL,
	"commission_fixed_minor" integer NOT NULL,
	"commission_minor" integer NOT NULL,
	"vat_minor" integer DEFAULT 0 NOT NULL,
	"vat_basis_points" integer DEFAULT 0 NOT NULL,
	"vat_country" text,
	"vat_basis" text,
	"vat_evidence" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"seller_account" text,
	"provider_fee_minor" integer,
	"period_start" timestamp with time zone,
	"period_end" timestamp with time zone,
	"paid_at" timestamp with time zone NOT NULL,
	"legal_entity" text NOT NULL,
	"receipt_number" integer NOT NULL,
	"buyer" jsonb NOT NULL,
	"seller" text NOT NULL,
	"seller_details" jsonb,
	"card_brand" text,
	"card_last4" text,
	"disputed_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "sales_amount" CHECK ("sales"."amount_minor" > 0 and "sales"."refunded_minor" between 0 and "sales"."amount_minor"),
	CONSTRAINT "sales_commission" CHECK ("sales"."commission_minor" between 0 and "sales"."amount_minor" - "sales"."vat_minor"),
	CONSTRAINT "sales_vat" CHECK ("sales"."vat_minor" between 0 and "sales"."amount_minor")
);
--> statement-breakpoint
CREATE TABLE "subscriptions" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "subscriptions_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"provider_id" text NOT NULL,
	"customer_id" text NOT NULL,
	"account" text,
	"checkout_id" uuid,
	"purpose" text NOT NULL,
	"user_id" bigint NOT NULL,
	"creator_id" bigint NOT NULL,
	"product_id" bigint,
	"plan" text,
	"status" text NOT NULL,
	"price_minor" integer NOT NULL,
	"currency" text NOT NULL,
	"every" text NOT NULL,
	"started_at" timestamp with time zone NOT NULL,
	"period_start" timestamp with time zone NOT NULL,
	"period_end" timestamp with time zone NOT NULL,
	"trial_end" timestamp with time zone,
	"ends_at" timestamp with time zone,
	"ended_at" timestamp with time zone,
	"end_reason" text,
	"leaving_reason" text,
	"paused_until" timestamp with time zone,
	"paused_from" timestamp with time zone,
	"past_due_since" timestamp with time zone,
	"reminder_sent" integer,
	"refund_planned_at" timestamp with time zone,
	"refund_told_at" timestamp with time zone,
	"card_id" text,
	"latest_invoice" text,
	"fee_set_for" timestamp with time zone,
	"synced_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "subscriptions_item" CHECK (("subscriptions"."purpose" = 'show') = ("subscriptions"."product_id" is not null)),
	CONSTRAINT "subscriptions_plan" CHECK (("subscriptions"."purpose" = 'plan') = ("subscriptions"."plan" is not null))
);
--> statement-breakpoint
CREATE TABLE "checkouts" (
	"id" uuid PRIMARY KEY NOT NULL,
	"purpose" text NOT NULL,
	"user_id" bigint,
	"email" text,
	"browser_hash" text,
	"product_id" bigint,
	"creator_id" bigint,
	"coupon_id" bigint,
	"terms" jsonb NOT NULL,
	"language" text NOT NULL,
	"ip_country" text,
	"status" text DEFAULT 'open' NOT NULL,
	"provider_id" text,
	"url" text,
	"customer_id" text,
	"account" text,
	"expires_at" timestamp with time zone NOT NULL,
	"settled_at" timestamp with time zone,
	"created_account" boolean DEFAULT false NOT NULL,
	"refused_for" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "checkouts_buyer" CHECK ("checkouts"."user_id" is not null or "checkouts"."email" is not null)
);
--> statement-breakpoint
CREATE TABLE "payment_cards" (
	"provider_id" text PRIMARY KEY NOT NULL,
	"customer_id" text NOT NULL,
	"user_id" bigint NOT NULL,
	"brand" text NOT NULL,
	"last4" text NOT NULL,
	"expires_month" integer NOT NULL,
	"expires_year" integer NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"is_default" boolean NOT NULL,
	"account" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "payment_customers" (
	"provider_id" text PRIMARY KEY NOT NULL,
	"user_id" bigint,
	"is_main" boolean DEFAULT false NOT NULL,
	"account" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "payment_events" (
	"id" text PRIMARY KEY NOT NULL,
	"event" jsonb NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"received_at" timestamp with time zone NOT NULL,
	"handled_at" timestamp with time zone,
	"retried_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "coupon_redemptions" (
	"checkout_id" uuid PRIMARY KEY NOT NULL,
	"coupon_id" bigint NOT NULL,
	"user_id" bigint,
	"state" text DEFAULT 'reserved' NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "coupons" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "coupons_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"creator_id" bigint NOT NULL,
	"product_id" bigint NOT NULL,
	"code" text NOT NULL,
	"percent" integer,
	"amount_minor" integer,
	"currency" text NOT NULL,
	"duration" text NOT NULL,
	"months" integer,
	"max_redemptions" integer,
	"taken" integer DEFAULT 0 NOT NULL,
	"provider_id" text,
	"accounts" text[] DEFAULT '{}' NOT NULL,
	"disabled_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "coupons_discount" CHECK (("coupons"."percent" is null) <> ("coupons"."amount_minor" is null)),
	CONSTRAINT "coupons_percent" CHECK ("coupons"."percent" between 1 and 100),
	CONSTRAINT "coupons_months" CHECK (("coupons"."duration" = 'repeating') = ("coupons"."months" is not null)),
	CONSTRAINT "coupons_cap" CHECK ("coupons"."taken" >= 0)
);
--> statement-breakpoint
CREATE TABLE "creators" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "creators_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"user_id" bigint NOT NULL,
	"name" text NOT NULL,
	"domain" text NOT NULL,
	"time_zone" text DEFAULT 'UTC' NOT NULL,
	"button_color" text,
	"text_color" text,
	"about_title" text,
	"about_text" text,
	"cta_title" text,
	"cta_text" text,
	"cta_button" text,
	"cta_url" text,
	"testimonials" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"links" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"show_newsletter" boolean DEFAULT true NOT NULL,
	"accepts_donations" boolean DEFAULT false NOT NULL,
	"donation_text" text,
	"username" text,
	"avatar_key" text,
	"version" integer DEFAULT 1 NOT NULL,
	"claimed_at" timestamp with time zone NOT NULL,
	"closed_at" timestamp with time zone,
	"publishing_stopped_at" timestamp with time zone,
	"taken_down_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "domains" (
	"domain" text PRIMARY KEY NOT NULL,
	"creator_id" bigint NOT NULL,
	"claimed_at" timestamp with time zone NOT NULL,
	"retired_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "episode_search" (
	"episode_id" bigint PRIMARY KEY NOT NULL,
	"product_id" bigint NOT NULL,
	"words" "tsvector" NOT NULL
);
--> statement-breakpoint
CREATE TABLE "new_search_names" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "new_search_names_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"name" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "product_search" (
	"product_id" bigint PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"category" integer NOT NULL,
	"language" text NOT NULL,
	"is_free" boolean NOT NULL,
	"sort_name" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"popularity" integer DEFAULT 0 NOT NULL,
	"names" "tsvector" NOT NULL,
	"about" "tsvector" NOT NULL
);
--> statement-breakpoint
CREATE TABLE "search_words" (
	"word" text PRIMARY KEY NOT NULL,
	"uses" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "donation_settings" (
	"creator_id" bigint PRIMARY KEY NOT NULL,
	"goal_minor" integer,
	"goal_title" text DEFAULT '' NOT NULL,
	"goal_since" timestamp with time zone,
	"currency" text NOT NULL,
	"shows_wall" boolean DEFAULT false NOT NULL,
	"thank_you_text" text DEFAULT '' NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "donations" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "donations_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"checkout_id" uuid NOT NULL,
	"subscription_id" bigint,
	"creator_id" bigint NOT NULL,
	"user_id" bigint,
	"email" text NOT NULL,
	"name" text NOT NULL,
	"is_anonymous" boolean DEFAULT false NOT NULL,
	"message" text DEFAULT '' NOT NULL,
	"amount_minor" integer NOT NULL,
	"currency" text NOT NULL,
	"every" text,
	"hidden_at" timestamp with time zone,
	"donated_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "donations_amount" CHECK ("donations"."amount_minor" between 100 and 50000)
);
--> statement-breakpoint
CREATE TABLE "announcements" (
	"episode_id" bigint NOT NULL,
	"user_id" bigint NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "episode_chapters" (
	"episode_id" bigint PRIMARY KEY NOT NULL,
	"chapters" jsonb NOT NULL,
	"edited" boolean DEFAULT false NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "episode_transcripts" (
	"episode_id" bigint PRIMARY KEY NOT NULL,
	"language" text NOT NULL,
	"source" text NOT NULL,
	"file_name" text NOT NULL,
	"cues" jsonb NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "promo_days" (
	"creator_id" bigint NOT NULL,
	"day" date NOT NULL,
	CONSTRAINT "promo_days_creator_id_day_pk" PRIMARY KEY("creator_id","day")
);
--> statement-breakpoint
CREATE TABLE "promos" (
	"episode_id" bigint PRIMARY KEY NOT NULL,
	"creator_id" bigint NOT NULL,
	"audio_key" text NOT NULL,
	"audio_bytes" bigint NOT NULL,
	"duration_ms" integer NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "episode_batches" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"creator_id" bigint NOT NULL,
	"product_id" bigint NOT NULL,
	"action" text NOT NULL,
	"changes" jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"undone_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "episodes" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "episodes_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"creator_id" bigint NOT NULL,
	"product_id" bigint NOT NULL,
	"name" text NOT NULL,
	"slug" text NOT NULL,
	"description" text NOT NULL,
	"private_note" text DEFAULT '' NOT NULL,
	"cover_key" text,
	"type" text NOT NULL,
	"status" text NOT NULL,
	"failure_reason" text,
	"failure_params" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"release_at" timestamp with time zone,
	"published_at" timestamp with time zone,
	"early_until" timestamp with time zone,
	"held_at" timestamp with time zone,
	"send_email" boolean DEFAULT true NOT NULL,
	"season" integer,
	"number" integer,
	"explicit" boolean DEFAULT false NOT NULL,
	"people" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"transcript_show_all" boolean DEFAULT false NOT NULL,
	"preview_version" integer DEFAULT 1 NOT NULL,
	"deleted_at" timestamp with time zone,
	"taken_down_at" timestamp with time zone,
	"take_down" jsonb,
	"guid" text NOT NULL,
	"upload_key" text NOT NULL,
	"file_name" text NOT NULL,
	"replacement_key" text,
	"replacement_name" text,
	"replacement_at" timestamp with time zone,
	"audio_key" text,
	"audio_bytes" bigint,
	"audio_sha256" text,
	"duration_ms" integer,
	"bitrate" integer,
	"sample_rate" integer,
	"channels" integer,
	"loudness_tenths" integer,
	"peaks_key" text,
	"sound_tried_at" timestamp with time zone,
	"converted_from" text,
	"served_head" jsonb,
	"head_bytes" integer,
	"audio_warnings" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "episodes_type" CHECK ("episodes"."type" in ('public', 'trailer', 'private')),
	CONSTRAINT "episodes_status" CHECK ("episodes"."status" in ('in_progress', 'failed', 'scheduled', 'published', 'on_hold')),
	CONSTRAINT "episodes_published_has_audio" CHECK ("episodes"."status" not in ('published', 'scheduled') or "episodes"."audio_key" is not null),
	CONSTRAINT "episodes_published_has_time" CHECK ("episodes"."status" not in ('published', 'scheduled') or "episodes"."release_at" is not null)
);
--> statement-breakpoint
CREATE TABLE "former_episode_slugs" (
	"product_id" bigint NOT NULL,
	"slug" text NOT NULL,
	"episode_id" bigint NOT NULL,
	CONSTRAINT "former_episode_slugs_product_id_slug_pk" PRIMARY KEY("product_id","slug")
);
--> statement-breakpoint
CREATE TABLE "feed_fetches" (
	"link_id" bigint NOT NULL,
	"episode_id" bigint NOT NULL,
	"network" text NOT NULL,
	"app" text NOT NULL,
	"at" timestamp with time zone NOT NULL,
	CONSTRAINT "feed_fetches_link_id_episode_id_network_app_pk" PRIMARY KEY("link_id","episode_id","network","app")
);
--> statement-breakpoint
CREATE TABLE "feed_links" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "feed_links_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"user_id" bigint NOT NULL,
	"product_id" bigint,
	"app" text NOT NULL,
	"token_hash" "bytea" NOT NULL,
	"sealed_token" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"replaced_at" timestamp with time zone,
	"replaced_because" text
);
--> statement-breakpoint
CREATE TABLE "feed_pings" (
	"product_id" bigint PRIMARY KEY NOT NULL,
	"version" integer NOT NULL,
	"pinged_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "shared_feeds" (
	"link_id" bigint PRIMARY KEY NOT NULL,
	"networks" integer NOT NULL,
	"apps" integer NOT NULL,
	"found_at" timestamp with time zone NOT NULL,
	"last_found_at" timestamp with time zone NOT NULL,
	"notified_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "gifts" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "gifts_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"token_hash" text NOT NULL,
	"sealed_token" text NOT NULL,
	"checkout_id" uuid NOT NULL,
	"giver_id" bigint NOT NULL,
	"product_id" bigint NOT NULL,
	"months" integer,
	"recipient_name" text DEFAULT '' NOT NULL,
	"recipient_email" text,
	"message" text DEFAULT '' NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"redeemed_at" timestamp with time zone,
	"redeemed_by" bigint,
	"access_from" timestamp with time zone,
	"access_until" timestamp with time zone,
	"end_reported_at" timestamp with time zone,
	"cancelled_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "ledger_entries" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "ledger_entries_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"kind" text NOT NULL,
	"key" text NOT NULL,
	"sale_id" bigint,
	"creator_id" bigint,
	"product_id" bigint,
	"payout_id" bigint,
	"at" timestamp with time zone NOT NULL,
	"note" text,
	"actor" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "ledger_lines" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "ledger_lines_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"entry_id" bigint NOT NULL,
	"account" text NOT NULL,
	"creator_id" bigint,
	"country" text,
	"currency" text NOT NULL,
	"amount_minor" bigint NOT NULL,
	"available_at" timestamp with time zone,
	CONSTRAINT "ledger_lines_amount" CHECK ("ledger_lines"."amount_minor" <> 0),
	CONSTRAINT "ledger_lines_creator" CHECK (("ledger_lines"."account" = 'creator_payable') = ("ledger_lines"."creator_id" is not null) and ("ledger_lines"."creator_id" is null) = ("ledger_lines"."available_at" is null)),
	CONSTRAINT "ledger_lines_country" CHECK ("ledger_lines"."country" is null or "ledger_lines"."account" = 'vat_payable')
);
--> statement-breakpoint
CREATE TABLE "daily_salts" (
	"day" date PRIMARY KEY NOT NULL,
	"salt" "bytea" NOT NULL
);
--> statement-breakpoint
CREATE TABLE "downloads" (
	"day" date NOT NULL,
	"creator_id" bigint NOT NULL,
	"product_id" bigint NOT NULL,
	"episode_id" bigint NOT NULL,
	"listener_key" "bytea" NOT NULL,
	"user_agent" text NOT NULL,
	"spans" "int8multirange" NOT NULL,
	"needed_bytes" integer NOT NULL,
	"first_at" timestamp with time zone NOT NULL,
	"counted_at" timestamp with time zone,
	"counted_in" bigint,
	"is_from_old_feed" boolean DEFAULT false NOT NULL,
	CONSTRAINT "downloads_day_episode_id_listener_key_pk" PRIMARY KEY("day","episode_id","listener_key")
) PARTITION BY RANGE ("day");
--> statement-breakpoint
CREATE TABLE "episode_positions" (
	"user_id" bigint NOT NULL,
	"episode_id" bigint NOT NULL,
	"position_ms" integer NOT NULL,
	"finished_at" timestamp with time zone,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "episode_positions_user_id_episode_id_pk" PRIMARY KEY("user_id","episode_id")
);
--> statement-breakpoint
CREATE TABLE "episode_totals" (
	"episode_id" bigint PRIMARY KEY NOT NULL,
	"creator_id" bigint NOT NULL,
	"listens" bigint DEFAULT 0 NOT NULL,
	"downloads" bigint DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "legacy_plays" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "legacy_plays_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"episode_id" bigint NOT NULL,
	"caller" "bytea" NOT NULL,
	"at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "listening_days" (
	"creator_id" bigint NOT NULL,
	"product_id" bigint NOT NULL,
	"day" date NOT NULL,
	"listens" integer DEFAULT 0 NOT NULL,
	"downloads" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "listening_days_creator_id_product_id_day_pk" PRIMARY KEY("creator_id","product_id","day")
);
--> statement-breakpoint
CREATE TABLE "listens" (
	"day" date NOT NULL,
	"creator_id" bigint NOT NULL,
	"product_id" bigint NOT NULL,
	"episode_id" bigint NOT NULL,
	"session_id" text NOT NULL,
	"at" timestamp with time zone NOT NULL,
	CONSTRAINT "listens_day_session_id_episode_id_pk" PRIMARY KEY("day","session_id","episode_id")
) PARTITION BY RANGE ("day");
--> statement-breakpoint
CREATE TABLE "authenticators" (
	"user_id" bigint PRIMARY KEY NOT NULL,
	"secret" text NOT NULL,
	"confirmed_at" timestamp with time zone,
	"last_step" bigint,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "identities" (
	"user_id" bigint NOT NULL,
	"provider" text NOT NULL,
	"subject" text NOT NULL,
	"email" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "login_challenges" (
	"hash" text PRIMARY KEY NOT NULL,
	"purpose" text NOT NULL,
	"user_id" bigint,
	"challenge" text,
	"attempts" integer DEFAULT 0 NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "passkeys" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" bigint NOT NULL,
	"name" text NOT NULL,
	"public_key" text NOT NULL,
	"counter" bigint NOT NULL,
	"transports" text[] NOT NULL,
	"last_used_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "recovery_codes" (
	"hash" text PRIMARY KEY NOT NULL,
	"user_id" bigint NOT NULL,
	"used_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "uploads" (
	"key" text PRIMARY KEY NOT NULL,
	"user_id" bigint NOT NULL,
	"purpose" text NOT NULL,
	"file_name" text NOT NULL,
	"content_type" text NOT NULL,
	"byte_size" bigint NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"received_at" timestamp with time zone,
	"used_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "copied_customers" (
	"provider_id" text PRIMARY KEY NOT NULL,
	"creator_id" bigint NOT NULL,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "feed_redirects" (
	"product_id" bigint PRIMARY KEY NOT NULL,
	"url" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "old_feed_addresses" (
	"hash" "bytea" PRIMARY KEY NOT NULL,
	"creator_id" bigint NOT NULL,
	"product_id" bigint NOT NULL,
	"user_id" bigint NOT NULL,
	"sealed_url" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"used_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "subscriber_import_lines" (
	"import_id" bigint NOT NULL,
	"line" integer NOT NULL,
	"email" text,
	"name" text NOT NULL,
	"customer_id" text,
	"subscription_id" text,
	"price_minor" integer,
	"currency" text,
	"every" text,
	"renews_at" timestamp with time zone,
	"started_at" timestamp with time zone,
	"has_ended" boolean NOT NULL,
	"sealed_feed" text,
	"feed_hash" "bytea",
	"fault" text,
	"state" text NOT NULL,
	"outcome" text,
	"reason" text,
	"checkout_id" uuid,
	"user_id" bigint,
	"attempts" integer DEFAULT 0 NOT NULL,
	"retry_at" timestamp with time zone,
	"failure" text,
	"done_at" timestamp with time zone,
	CONSTRAINT "subscriber_import_lines_import_id_line_pk" PRIMARY KEY("import_id","line")
);
--> statement-breakpoint
CREATE TABLE "subscriber_imports" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "subscriber_imports_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"creator_id" bigint NOT NULL,
	"user_id" bigint NOT NULL,
	"product_id" bigint NOT NULL,
	"file_name" text NOT NULL,
	"file_key" text NOT NULL,
	"format" text NOT NULL,
	"account" text,
	"status" text NOT NULL,
	"step" integer DEFAULT 0 NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"lines" integer DEFAULT 0 NOT NULL,
	"statement" text,
	"sends_welcome" boolean DEFAULT false NOT NULL,
	"confirmed_at" timestamp with time zone,
	"confirmed_by" bigint,
	"ended_at" timestamp with time zone,
	"failure_reason" text,
	"failure_params" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "subscriber_move_lines" (
	"move_id" bigint NOT NULL,
	"subscription_id" bigint NOT NULL,
	"state" text NOT NULL,
	"reason" text,
	"from_id" text NOT NULL,
	"to_id" text,
	"customer_id" text,
	"card_id" text,
	"renews_at" timestamp with time zone NOT NULL,
	"price_minor" integer NOT NULL,
	"currency" text NOT NULL,
	"every" text NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"retry_at" timestamp with time zone,
	"failure" text,
	"begun_at" timestamp with time zone,
	"moved_at" timestamp with time zone,
	CONSTRAINT "subscriber_move_lines_move_id_subscription_id_pk" PRIMARY KEY("move_id","subscription_id"),
	CONSTRAINT "subscriber_move_lines_state" CHECK ("subscriber_move_lines"."state" in ('waiting', 'moving', 'moved', 'stays', 'failed'))
);
--> statement-breakpoint
CREATE TABLE "subscriber_moves" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "subscriber_moves_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"creator_id" bigint NOT NULL,
	"account" text NOT NULL,
	"status" text NOT NULL,
	"step" integer DEFAULT 0 NOT NULL,
	"ended_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "episode_email_opt_outs" (
	"email" text NOT NULL,
	"product_id" bigint NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "episode_email_opt_outs_email_product_id_pk" PRIMARY KEY("email","product_id")
);
--> statement-breakpoint
CREATE TABLE "outbox" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_id" bigint,
	"to" text NOT NULL,
	"topic" text NOT NULL,
	"language" text NOT NULL,
	"subject" text NOT NULL,
	"html" text NOT NULL,
	"text" text NOT NULL,
	"headers" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"sent_at" timestamp with time zone,
	"failed_at" timestamp with time zone,
	"failure" text
);
--> statement-breakpoint
CREATE TABLE "milestones" (
	"name" text PRIMARY KEY NOT NULL,
	"reached_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "operator_actions" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "operator_actions_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"operator" text NOT NULL,
	"action" text NOT NULL,
	"target" text NOT NULL,
	"details" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "operators" (
	"user_id" bigint PRIMARY KEY NOT NULL,
	"added_at" timestamp with time zone NOT NULL,
	"added_by" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "payout_papers" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "payout_papers_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"creator_id" bigint NOT NULL,
	"payout_id" bigint NOT NULL,
	"kind" text NOT NULL,
	"number" integer NOT NULL,
	"issued_at" timestamp with time zone NOT NULL,
	"facts" jsonb NOT NULL,
	CONSTRAINT "payout_papers_number" CHECK ("payout_papers"."number" > 0)
);
--> statement-breakpoint
CREATE TABLE "payouts" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "payouts_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"public_id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"creator_id" bigint NOT NULL,
	"currency" text NOT NULL,
	"amount_minor" bigint NOT NULL,
	"month" text NOT NULL,
	"status" text DEFAULT 'requested' NOT NULL,
	"method" text NOT NULL,
	"destination" text NOT NULL,
	"holder" text NOT NULL,
	"requested_at" timestamp with time zone NOT NULL,
	"requested_by" bigint NOT NULL,
	"approved_at" timestamp with time zone,
	"transfer_file" text,
	"paid_at" timestamp with time zone,
	"reversed_at" timestamp with time zone,
	"reason" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "payouts_amount" CHECK ("payouts"."amount_minor" > 0),
	CONSTRAINT "payouts_month" CHECK ("payouts"."month" ~ '^[0-9]{4}-[0-9]{2}$'),
	CONSTRAINT "payouts_status" CHECK ("payouts"."status" in ('requested', 'approved', 'paid', 'reversed'))
);
--> statement-breakpoint
CREATE TABLE "creator_plans" (
	"creator_id" bigint PRIMARY KEY NOT NULL,
	"plan" text NOT NULL,
	"since" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "former_product_slugs" (
	"creator_id" bigint NOT NULL,
	"slug" text NOT NULL,
	"product_id" bigint NOT NULL,
	CONSTRAINT "former_product_slugs_creator_id_slug_pk" PRIMARY KEY("creator_id","slug")
);
--> statement-breakpoint
CREATE TABLE "products" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "products_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"creator_id" bigint NOT NULL,
	"kind" text NOT NULL,
	"name" text NOT NULL,
	"slug" text NOT NULL,
	"description" text NOT NULL,
	"category" integer NOT NULL,
	"language" text NOT NULL,
	"cover_key" text NOT NULL,
	"price_minor" integer,
	"annual_price_minor" integer,
	"currency" text NOT NULL,
	"pays_what_they_want" boolean DEFAULT false NOT NULL,
	"trial_days" integer DEFAULT 0 NOT NULL,
	"early_access_days" integer DEFAULT 0 NOT NULL,
	"drip_days" integer DEFAULT 0 NOT NULL,
	"welcome_message" text DEFAULT '' NOT NULL,
	"subscriber_email_message" text DEFAULT '' NOT NULL,
	"hide_subscribe_button" boolean DEFAULT false NOT NULL,
	"explicit" boolean DEFAULT false NOT NULL,
	"complete" boolean DEFAULT false NOT NULL,
	"author" text DEFAULT '' NOT NULL,
	"copyright" text DEFAULT '' NOT NULL,
	"funding_url" text,
	"funding_text" text DEFAULT '' NOT NULL,
	"owner_name" text DEFAULT '' NOT NULL,
	"owner_email" text,
	"owner_email_verified_at" timestamp with time zone,
	"feed_length" integer,
	"names_listener" boolean DEFAULT false NOT NULL,
	"spotify_show_url" text,
	"listings" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"is_listed" boolean DEFAULT true NOT NULL,
	"first_publish_seen_at" timestamp with time zone,
	"archived_at" timestamp with time zone,
	"taken_down_at" timestamp with time zone,
	"take_down" jsonb,
	"free_conversion" text,
	"free_conversion_at" timestamp with time zone,
	"feed_guid" uuid NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"changed_at" timestamp with time zone DEFAULT now() NOT NULL,
	"retired_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "products_kind" CHECK ("products"."kind" in ('podcast', 'audio_series')),
	CONSTRAINT "products_annual_price" CHECK ("products"."annual_price_minor" is null or "products"."kind" = 'podcast'),
	CONSTRAINT "products_price_positive" CHECK ("products"."price_minor" > 0 and "products"."annual_price_minor" > 0)
);
--> statement-breakpoint
CREATE TABLE "provider_entries" (
	"id" text PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"key" text,
	"amount_minor" bigint NOT NULL,
	"currency" text NOT NULL,
	"payment" text,
	"source" text,
	"fee_id" text,
	"charge" text,
	"at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "reconciliation_differences" (
	"key" text NOT NULL,
	"currency" text NOT NULL,
	"creator_id" bigint,
	"product_id" bigint,
	"ours_minor" bigint,
	"theirs_minor" bigint,
	"at" timestamp with time zone NOT NULL,
	"first_seen_at" timestamp with time zone NOT NULL,
	"resolved_at" timestamp with time zone,
	CONSTRAINT "reconciliation_differences_key_currency_pk" PRIMARY KEY("key","currency")
);
--> statement-breakpoint
CREATE TABLE "reconciliations" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "reconciliations_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"started_at" timestamp with time zone NOT NULL,
	"finished_at" timestamp with time zone,
	"entries" integer DEFAULT 0 NOT NULL,
	"differences" integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "old_feeds" (
	"product_id" bigint PRIMARY KEY NOT NULL,
	"creator_id" bigint NOT NULL,
	"user_id" bigint NOT NULL,
	"feed_url" text NOT NULL,
	"state" text NOT NULL,
	"ended_because" text,
	"redirect" text DEFAULT 'none' NOT NULL,
	"etag" text,
	"last_modified" text,
	"step" integer DEFAULT 0 NOT NULL,
	"failures" integer DEFAULT 0 NOT NULL,
	"failure_reason" text,
	"failure_params" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"checked_at" timestamp with time zone,
	"next_at" timestamp with time zone,
	"since" timestamp with time zone NOT NULL,
	CONSTRAINT "old_feeds_state" CHECK ("old_feeds"."state" in ('following', 'watching', 'ended'))
);
--> statement-breakpoint
CREATE TABLE "rss_import_items" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "rss_import_items_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"import_id" bigint NOT NULL,
	"position" integer NOT NULL,
	"guid" text NOT NULL,
	"name" text NOT NULL,
	"data" jsonb NOT NULL,
	"fingerprint" text,
	"state" text DEFAULT 'waiting' NOT NULL,
	"reason" text,
	"reason_params" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"retry_at" timestamp with time zone,
	"episode_id" bigint,
	"bytes" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "rss_import_items_state" CHECK ("rss_import_items"."state" in ('waiting', 'imported', 'updated', 'skipped', 'failed'))
);
--> statement-breakpoint
CREATE TABLE "rss_imports" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "rss_imports_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"creator_id" bigint NOT NULL,
	"user_id" bigint NOT NULL,
	"feed_url" text NOT NULL,
	"status" text NOT NULL,
	"preview" jsonb NOT NULL,
	"sent_to" text,
	"token_hash" text NOT NULL,
	"proof_code" text NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"confirmed_at" timestamp with time zone,
	"proved_by_email" boolean DEFAULT false NOT NULL,
	"started_at" timestamp with time zone,
	"planned_at" timestamp with time zone,
	"ended_at" timestamp with time zone,
	"step" integer DEFAULT 0 NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"failure_reason" text,
	"failure_params" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"product_id" bigint,
	"keeps_following" boolean DEFAULT false NOT NULL,
	"is_follow_up" boolean DEFAULT false NOT NULL,
	"seen_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "rss_imports_status" CHECK ("rss_imports"."status" in ('awaiting_proof', 'confirmed', 'in_progress', 'imported', 'failed', 'cancelled', 'expired'))
);
--> statement-breakpoint
CREATE TABLE "seller_accounts" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "seller_accounts_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"creator_id" bigint NOT NULL,
	"account_id" text NOT NULL,
	"status" text NOT NULL,
	"email" text,
	"country" text,
	"charges_enabled" boolean NOT NULL,
	"payouts_enabled" boolean NOT NULL,
	"missing" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"connected_at" timestamp with time zone NOT NULL,
	"connected_by" bigint NOT NULL,
	"disconnected_at" timestamp with time zone,
	"disconnected_by" text,
	"released_at" timestamp with time zone,
	"synced_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "studio_notice_dismissals" (
	"notice_id" bigint NOT NULL,
	"user_id" bigint NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "studio_notice_dismissals_notice_id_user_id_pk" PRIMARY KEY("notice_id","user_id")
);
--> statement-breakpoint
CREATE TABLE "studio_notices" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "studio_notices_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"text_en" text NOT NULL,
	"text_es" text NOT NULL,
	"level" text NOT NULL,
	"link" text,
	"starts_at" timestamp with time zone NOT NULL,
	"ends_at" timestamp with time zone NOT NULL,
	"withdrawn_at" timestamp with time zone,
	"created_by" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "studio_notices_level" CHECK ("studio_notices"."level" in ('info', 'warning')),
	CONSTRAINT "studio_notices_time" CHECK ("studio_notices"."ends_at" > "studio_notices"."starts_at")
);
--> statement-breakpoint
CREATE TABLE "abuse_reports" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "abuse_reports_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"target" text NOT NULL,
	"creator_id" bigint NOT NULL,
	"product_id" bigint,
	"episode_id" bigint,
	"name" text NOT NULL,
	"url" text NOT NULL,
	"reason" text NOT NULL,
	"text" text NOT NULL,
	"user_id" bigint,
	"reporter_name" text,
	"reporter_email" text,
	"language" text NOT NULL,
	"state" text DEFAULT 'open' NOT NULL,
	"answer" text,
	"decided_by" text,
	"decided_at" timestamp with time zone,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "abuse_reports_state" CHECK ("abuse_reports"."state" in ('open', 'dismissed', 'upheld')),
	CONSTRAINT "abuse_reports_decided" CHECK (("abuse_reports"."state" = 'open') = ("abuse_reports"."decided_at" is null))
);
--> statement-breakpoint
CREATE TABLE "contact_messages" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "contact_messages_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"thread_id" uuid NOT NULL,
	"user_id" bigint,
	"name" text NOT NULL,
	"email" text NOT NULL,
	"subject" text NOT NULL,
	"text" text NOT NULL,
	"language" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "switches" (
	"name" text PRIMARY KEY NOT NULL,
	"percent" integer NOT NULL,
	"creator_ids" bigint[] DEFAULT '{}' NOT NULL,
	"changed_at" timestamp with time zone NOT NULL,
	"changed_by" text NOT NULL,
	CONSTRAINT "switches_percent" CHECK ("switches"."percent" between 0 and 100)
);
--> statement-breakpoint
CREATE TABLE "activity" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "activity_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"creator_id" bigint NOT NULL,
	"user_id" bigint,
	"action" text NOT NULL,
	"subject_id" bigint,
	"params" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "invitations" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "invitations_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"creator_id" bigint NOT NULL,
	"email" text NOT NULL,
	"role" text NOT NULL,
	"token_hash" text NOT NULL,
	"invited_by" bigint NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	CONSTRAINT "invitations_role" CHECK ("invitations"."role" in ('editor', 'analyst', 'finance'))
);
--> statement-breakpoint
CREATE TABLE "members" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "members_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"creator_id" bigint NOT NULL,
	"user_id" bigint NOT NULL,
	"role" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "members_role" CHECK ("members"."role" in ('editor', 'analyst', 'finance'))
);
--> statement-breakpoint
CREATE TABLE "vat_number_checks" (
	"number" text PRIMARY KEY NOT NULL,
	"status" text NOT NULL,
	"name" text,
	"request_id" text,
	"checked_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "grants" ADD CONSTRAINT "grants_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "grants" ADD CONSTRAINT "grants_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "account_exports" ADD CONSTRAINT "account_exports_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "billing_details" ADD CONSTRAINT "billing_details_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "email_changes" ADD CONSTRAINT "email_changes_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "email_tokens" ADD CONSTRAINT "email_tokens_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notification_opt_outs" ADD CONSTRAINT "notification_opt_outs_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "archive_entries" ADD CONSTRAINT "archive_entries_archive_id_creator_archives_id_fk" FOREIGN KEY ("archive_id") REFERENCES "public"."creator_archives"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "archive_import_ids" ADD CONSTRAINT "archive_import_ids_archive_id_archive_imports_archive_id_fk" FOREIGN KEY ("archive_id") REFERENCES "public"."archive_imports"("archive_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "archive_imports" ADD CONSTRAINT "archive_imports_creator_id_creators_id_fk" FOREIGN KEY ("creator_id") REFERENCES "public"."creators"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "creator_archives" ADD CONSTRAINT "creator_archives_creator_id_creators_id_fk" FOREIGN KEY ("creator_id") REFERENCES "public"."creators"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "creator_archives" ADD CONSTRAINT "creator_archives_requested_by_users_id_fk" FOREIGN KEY ("requested_by") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contacts" ADD CONSTRAINT "contacts_creator_id_creators_id_fk" FOREIGN KEY ("creator_id") REFERENCES "public"."creators"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "disputes" ADD CONSTRAINT "disputes_sale_id_sales_id_fk" FOREIGN KEY ("sale_id") REFERENCES "public"."sales"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "end_refunds" ADD CONSTRAINT "end_refunds_subscription_id_subscriptions_id_fk" FOREIGN KEY ("subscription_id") REFERENCES "public"."subscriptions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_sale_id_sales_id_fk" FOREIGN KEY ("sale_id") REFERENCES "public"."sales"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sales" ADD CONSTRAINT "sales_checkout_id_checkouts_id_fk" FOREIGN KEY ("checkout_id") REFERENCES "public"."checkouts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sales" ADD CONSTRAINT "sales_subscription_id_subscriptions_id_fk" FOREIGN KEY ("subscription_id") REFERENCES "public"."subscriptions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sales" ADD CONSTRAINT "sales_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sales" ADD CONSTRAINT "sales_creator_id_creators_id_fk" FOREIGN KEY ("creator_id") REFERENCES "public"."creators"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sales" ADD CONSTRAINT "sales_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sales" ADD CONSTRAINT "sales_coupon_id_coupons_id_fk" FOREIGN KEY ("coupon_id") REFERENCES "public"."coupons"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_checkout_id_checkouts_id_fk" FOREIGN KEY ("checkout_id") REFERENCES "public"."checkouts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_creator_id_creators_id_fk" FOREIGN KEY ("creator_id") REFERENCES "public"."creators"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "checkouts" ADD CONSTRAINT "checkouts_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "checkouts" ADD CONSTRAINT "checkouts_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "checkouts" ADD CONSTRAINT "checkouts_creator_id_creators_id_fk" FOREIGN KEY ("creator_id") REFERENCES "public"."creators"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "checkouts" ADD CONSTRAINT "checkouts_coupon_id_coupons_id_fk" FOREIGN KEY ("coupon_id") REFERENCES "public"."coupons"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_cards" ADD CONSTRAINT "payment_cards_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_customers" ADD CONSTRAINT "payment_customers_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "coupon_redemptions" ADD CONSTRAINT "coupon_redemptions_coupon_id_coupons_id_fk" FOREIGN KEY ("coupon_id") REFERENCES "public"."coupons"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "coupon_redemptions" ADD CONSTRAINT "coupon_redemptions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "coupons" ADD CONSTRAINT "coupons_creator_id_creators_id_fk" FOREIGN KEY ("creator_id") REFERENCES "public"."creators"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "coupons" ADD CONSTRAINT "coupons_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "creators" ADD CONSTRAINT "creators_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "domains" ADD CONSTRAINT "domains_creator_id_creators_id_fk" FOREIGN KEY ("creator_id") REFERENCES "public"."creators"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "donation_settings" ADD CONSTRAINT "donation_settings_creator_id_creators_id_fk" FOREIGN KEY ("creator_id") REFERENCES "public"."creators"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "donations" ADD CONSTRAINT "donations_creator_id_creators_id_fk" FOREIGN KEY ("creator_id") REFERENCES "public"."creators"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "donations" ADD CONSTRAINT "donations_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "announcements" ADD CONSTRAINT "announcements_episode_id_episodes_id_fk" FOREIGN KEY ("episode_id") REFERENCES "public"."episodes"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "announcements" ADD CONSTRAINT "announcements_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "episode_chapters" ADD CONSTRAINT "episode_chapters_episode_id_episodes_id_fk" FOREIGN KEY ("episode_id") REFERENCES "public"."episodes"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "episode_transcripts" ADD CONSTRAINT "episode_transcripts_episode_id_episodes_id_fk" FOREIGN KEY ("episode_id") REFERENCES "public"."episodes"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "promo_days" ADD CONSTRAINT "promo_days_creator_id_creators_id_fk" FOREIGN KEY ("creator_id") REFERENCES "public"."creators"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "promos" ADD CONSTRAINT "promos_episode_id_episodes_id_fk" FOREIGN KEY ("episode_id") REFERENCES "public"."episodes"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "promos" ADD CONSTRAINT "promos_creator_id_creators_id_fk" FOREIGN KEY ("creator_id") REFERENCES "public"."creators"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "episode_batches" ADD CONSTRAINT "episode_batches_creator_id_creators_id_fk" FOREIGN KEY ("creator_id") REFERENCES "public"."creators"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "episode_batches" ADD CONSTRAINT "episode_batches_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "episodes" ADD CONSTRAINT "episodes_creator_id_creators_id_fk" FOREIGN KEY ("creator_id") REFERENCES "public"."creators"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "episodes" ADD CONSTRAINT "episodes_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "former_episode_slugs" ADD CONSTRAINT "former_episode_slugs_episode_id_episodes_id_fk" FOREIGN KEY ("episode_id") REFERENCES "public"."episodes"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "feed_fetches" ADD CONSTRAINT "feed_fetches_link_id_feed_links_id_fk" FOREIGN KEY ("link_id") REFERENCES "public"."feed_links"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "feed_links" ADD CONSTRAINT "feed_links_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "feed_links" ADD CONSTRAINT "feed_links_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "feed_pings" ADD CONSTRAINT "feed_pings_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "shared_feeds" ADD CONSTRAINT "shared_feeds_link_id_feed_links_id_fk" FOREIGN KEY ("link_id") REFERENCES "public"."feed_links"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "gifts" ADD CONSTRAINT "gifts_checkout_id_checkouts_id_fk" FOREIGN KEY ("checkout_id") REFERENCES "public"."checkouts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "gifts" ADD CONSTRAINT "gifts_giver_id_users_id_fk" FOREIGN KEY ("giver_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "gifts" ADD CONSTRAINT "gifts_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "gifts" ADD CONSTRAINT "gifts_redeemed_by_users_id_fk" FOREIGN KEY ("redeemed_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger_entries" ADD CONSTRAINT "ledger_entries_sale_id_sales_id_fk" FOREIGN KEY ("sale_id") REFERENCES "public"."sales"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger_entries" ADD CONSTRAINT "ledger_entries_creator_id_creators_id_fk" FOREIGN KEY ("creator_id") REFERENCES "public"."creators"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger_entries" ADD CONSTRAINT "ledger_entries_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger_entries" ADD CONSTRAINT "ledger_entries_payout_id_payouts_id_fk" FOREIGN KEY ("payout_id") REFERENCES "public"."payouts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger_lines" ADD CONSTRAINT "ledger_lines_entry_id_ledger_entries_id_fk" FOREIGN KEY ("entry_id") REFERENCES "public"."ledger_entries"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger_lines" ADD CONSTRAINT "ledger_lines_creator_id_creators_id_fk" FOREIGN KEY ("creator_id") REFERENCES "public"."creators"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "episode_positions" ADD CONSTRAINT "episode_positions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "episode_positions" ADD CONSTRAINT "episode_positions_episode_id_episodes_id_fk" FOREIGN KEY ("episode_id") REFERENCES "public"."episodes"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "legacy_plays" ADD CONSTRAINT "legacy_plays_episode_id_episodes_id_fk" FOREIGN KEY ("episode_id") REFERENCES "public"."episodes"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "authenticators" ADD CONSTRAINT "authenticators_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "identities" ADD CONSTRAINT "identities_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "login_challenges" ADD CONSTRAINT "login_challenges_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "passkeys" ADD CONSTRAINT "passkeys_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recovery_codes" ADD CONSTRAINT "recovery_codes_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "uploads" ADD CONSTRAINT "uploads_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "copied_customers" ADD CONSTRAINT "copied_customers_creator_id_creators_id_fk" FOREIGN KEY ("creator_id") REFERENCES "public"."creators"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "feed_redirects" ADD CONSTRAINT "feed_redirects_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "old_feed_addresses" ADD CONSTRAINT "old_feed_addresses_creator_id_creators_id_fk" FOREIGN KEY ("creator_id") REFERENCES "public"."creators"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "old_feed_addresses" ADD CONSTRAINT "old_feed_addresses_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "old_feed_addresses" ADD CONSTRAINT "old_feed_addresses_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "subscriber_import_lines" ADD CONSTRAINT "subscriber_import_lines_import_id_subscriber_imports_id_fk" FOREIGN KEY ("import_id") REFERENCES "public"."subscriber_imports"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "subscriber_import_lines" ADD CONSTRAINT "subscriber_import_lines_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "subscriber_imports" ADD CONSTRAINT "subscriber_imports_creator_id_creators_id_fk" FOREIGN KEY ("creator_id") REFERENCES "public"."creators"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "subscriber_imports" ADD CONSTRAINT "subscriber_imports_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "subscriber_imports" ADD CONSTRAINT "subscriber_imports_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "subscriber_imports" ADD CONSTRAINT "subscriber_imports_confirmed_by_users_id_fk" FOREIGN KEY ("confirmed_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "subscriber_move_lines" ADD CONSTRAINT "subscriber_move_lines_move_id_subscriber_moves_id_fk" FOREIGN KEY ("move_id") REFERENCES "public"."subscriber_moves"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "subscriber_move_lines" ADD CONSTRAINT "subscriber_move_lines_subscription_id_subscriptions_id_fk" FOREIGN KEY ("subscription_id") REFERENCES "public"."subscriptions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "subscriber_moves" ADD CONSTRAINT "subscriber_moves_creator_id_creators_id_fk" FOREIGN KEY ("creator_id") REFERENCES "public"."creators"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "episode_email_opt_outs" ADD CONSTRAINT "episode_email_opt_outs_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "operators" ADD CONSTRAINT "operators_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payout_papers" ADD CONSTRAINT "payout_papers_creator_id_creators_id_fk" FOREIGN KEY ("creator_id") REFERENCES "public"."creators"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payout_papers" ADD CONSTRAINT "payout_papers_payout_id_payouts_id_fk" FOREIGN KEY ("payout_id") REFERENCES "public"."payouts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payouts" ADD CONSTRAINT "payouts_creator_id_creators_id_fk" FOREIGN KEY ("creator_id") REFERENCES "public"."creators"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payouts" ADD CONSTRAINT "payouts_requested_by_users_id_fk" FOREIGN KEY ("requested_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "creator_plans" ADD CONSTRAINT "creator_plans_creator_id_creators_id_fk" FOREIGN KEY ("creator_id") REFERENCES "public"."creators"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "former_product_slugs" ADD CONSTRAINT "former_product_slugs_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "products" ADD CONSTRAINT "products_creator_id_creators_id_fk" FOREIGN KEY ("creator_id") REFERENCES "public"."creators"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reconciliation_differences" ADD CONSTRAINT "reconciliation_differences_creator_id_creators_id_fk" FOREIGN KEY ("creator_id") REFERENCES "public"."creators"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reconciliation_differences" ADD CONSTRAINT "reconciliation_differences_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "old_feeds" ADD CONSTRAINT "old_feeds_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "old_feeds" ADD CONSTRAINT "old_feeds_creator_id_creators_id_fk" FOREIGN KEY ("creator_id") REFERENCES "public"."creators"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "old_feeds" ADD CONSTRAINT "old_feeds_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "rss_import_items" ADD CONSTRAINT "rss_import_items_import_id_rss_imports_id_fk" FOREIGN KEY ("import_id") REFERENCES "public"."rss_imports"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "rss_import_items" ADD CONSTRAINT "rss_import_items_episode_id_episodes_id_fk" FOREIGN KEY ("episode_id") REFERENCES "public"."episodes"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "rss_imports" ADD CONSTRAINT "rss_imports_creator_id_creators_id_fk" FOREIGN KEY ("creator_id") REFERENCES "public"."creators"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "rss_imports" ADD CONSTRAINT "rss_imports_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "rss_imports" ADD CONSTRAINT "rss_imports_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "seller_accounts" ADD CONSTRAINT "seller_accounts_creator_id_creators_id_fk" FOREIGN KEY ("creator_id") REFERENCES "public"."creators"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "seller_accounts" ADD CONSTRAINT "seller_accounts_connected_by_users_id_fk" FOREIGN KEY ("connected_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "studio_notice_dismissals" ADD CONSTRAINT "studio_notice_dismissals_notice_id_studio_notices_id_fk" FOREIGN KEY ("notice_id") REFERENCES "public"."studio_notices"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "studio_notice_dismissals" ADD CONSTRAINT "studio_notice_dismissals_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "activity" ADD CONSTRAINT "activity_creator_id_creators_id_fk" FOREIGN KEY ("creator_id") REFERENCES "public"."creators"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "activity" ADD CONSTRAINT "activity_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_creator_id_creators_id_fk" FOREIGN KEY ("creator_id") REFERENCES "public"."creators"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_invited_by_users_id_fk" FOREIGN KEY ("invited_by") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "members" ADD CONSTRAINT "members_creator_id_creators_id_fk" FOREIGN KEY ("creator_id") REFERENCES "public"."creators"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "members" ADD CONSTRAINT "members_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "grants_once" ON "grants" USING btree ("user_id","product_id","source");--> statement-breakpoint
CREATE INDEX "grants_of_product" ON "grants" USING btree ("product_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "account_exports_once_a_day" ON "account_exports" USING btree ("user_id","day") WHERE failed_at is null;--> statement-breakpoint
CREATE INDEX "account_exports_of_user" ON "account_exports" USING btree ("user_id","requested_at");--> statement-breakpoint
CREATE INDEX "account_exports_expiry" ON "account_exports" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "email_tokens_of_user" ON "email_tokens" USING btree ("user_id","purpose");--> statement-breakpoint
CREATE INDEX "sessions_of_user" ON "sessions" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "sessions_expiry" ON "sessions" USING btree ("expires_at");--> statement-breakpoint
CREATE UNIQUE INDEX "users_email_once" ON "users" USING btree ("email");--> statement-breakpoint
CREATE INDEX "users_email_prefix" ON "users" USING btree ("email" text_pattern_ops);--> statement-breakpoint
CREATE INDEX "users_name_prefix" ON "users" USING btree (lower("name") text_pattern_ops);--> statement-breakpoint
CREATE INDEX "users_to_delete" ON "users" USING btree ("deletion_due_at") WHERE deletion_due_at is not null and deleted_at is null;--> statement-breakpoint
CREATE INDEX "archive_entries_waiting" ON "archive_entries" USING btree ("archive_id","position") WHERE "archive_entries"."sha256" is null and not "archive_entries"."is_missing";--> statement-breakpoint
CREATE INDEX "archive_imports_of_creator" ON "archive_imports" USING btree ("creator_id");--> statement-breakpoint
CREATE UNIQUE INDEX "creator_archives_one_at_a_time" ON "creator_archives" USING btree ("creator_id") WHERE "creator_archives"."ready_at" is null and "creator_archives"."failed_at" is null;--> statement-breakpoint
CREATE INDEX "creator_archives_of_creator" ON "creator_archives" USING btree ("creator_id","requested_at");--> statement-breakpoint
CREATE INDEX "creator_archives_of_user" ON "creator_archives" USING btree ("requested_by");--> statement-breakpoint
CREATE INDEX "creator_archives_expiry" ON "creator_archives" USING btree ("expires_at") WHERE "creator_archives"."expires_at" is not null;--> statement-breakpoint
CREATE INDEX "creator_archives_running" ON "creator_archives" USING btree ("updated_at") WHERE "creator_archives"."ready_at" is null and "creator_archives"."failed_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "contacts_once" ON "contacts" USING btree ("creator_id","email");--> statement-breakpoint
CREATE INDEX "contacts_newest" ON "contacts" USING btree ("creator_id","status","created_at");--> statement-breakpoint
CREATE INDEX "disputes_of_sale" ON "disputes" USING btree ("sale_id");--> statement-breakpoint
CREATE INDEX "disputes_open" ON "disputes" USING btree ("answer_by") WHERE "disputes"."closed_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "end_refunds_refund_once" ON "end_refunds" USING btree ("refund_id");--> statement-breakpoint
CREATE INDEX "end_refunds_due" ON "end_refunds" USING btree ("due_at") WHERE "end_refunds"."status" = 'due';--> statement-breakpoint
CREATE INDEX "refunds_of_sale" ON "refunds" USING btree ("sale_id");--> statement-breakpoint
CREATE UNIQUE INDEX "sales_payment_once" ON "sales" USING btree ("payment_id");--> statement-breakpoint
CREATE INDEX "sales_of_charge" ON "sales" USING btree ("charge_id") WHERE "sales"."seller_account" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "sales_receipt_once" ON "sales" USING btree ("legal_entity","receipt_number");--> statement-breakpoint
CREATE INDEX "sales_of_creator" ON "sales" USING btree ("creator_id","paid_at");--> statement-breakpoint
CREATE INDEX "sales_of_product" ON "sales" USING btree ("product_id","paid_at");--> statement-breakpoint
CREATE INDEX "sales_of_user" ON "sales" USING btree ("user_id","paid_at");--> statement-breakpoint
CREATE INDEX "sales_of_subscription" ON "sales" USING btree ("subscription_id","paid_at");--> statement-breakpoint
CREATE INDEX "sales_of_guest" ON "sales" USING btree ("email") WHERE "sales"."user_id" is null;--> statement-breakpoint
CREATE INDEX "sales_of_checkout" ON "sales" USING btree ("checkout_id");--> statement-breakpoint
CREATE UNIQUE INDEX "subscriptions_provider_once" ON "subscriptions" USING btree ("provider_id");--> statement-breakpoint
CREATE UNIQUE INDEX "subscriptions_running_once" ON "subscriptions" USING btree ("user_id","product_id") WHERE "subscriptions"."ended_at" is null and "subscriptions"."purpose" = 'show';--> statement-breakpoint
CREATE UNIQUE INDEX "subscriptions_running_plan_once" ON "subscriptions" USING btree ("creator_id") WHERE "subscriptions"."ended_at" is null and "subscriptions"."purpose" = 'plan';--> statement-breakpoint
CREATE INDEX "subscriptions_of_user" ON "subscriptions" USING btree ("user_id","id");--> statement-breakpoint
CREATE INDEX "subscriptions_of_product" ON "subscriptions" USING btree ("product_id","id");--> statement-breakpoint
CREATE INDEX "subscriptions_of_creator" ON "subscriptions" USING btree ("creator_id","purpose","id");--> statement-breakpoint
CREATE INDEX "subscriptions_of_customer" ON "subscriptions" USING btree ("customer_id");--> statement-breakpoint
CREATE INDEX "subscriptions_past_due" ON "subscriptions" USING btree ("past_due_since") WHERE "subscriptions"."past_due_since" is not null and "subscriptions"."ended_at" is null;--> statement-breakpoint
CREATE INDEX "subscriptions_of_account" ON "subscriptions" USING btree ("account","id") WHERE "subscriptions"."account" is not null;--> statement-breakpoint
CREATE INDEX "subscriptions_fee_due" ON "subscriptions" USING btree ("period_end") WHERE "subscriptions"."account" is not null and "subscriptions"."ended_at" is null;--> statement-breakpoint
CREATE INDEX "subscriptions_refunding" ON "subscriptions" USING btree ("id") WHERE "subscriptions"."end_reason" = 'refunded' and "subscriptions"."refund_told_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "checkouts_provider_once" ON "checkouts" USING btree ("provider_id");--> statement-breakpoint
CREATE UNIQUE INDEX "checkouts_open_once" ON "checkouts" USING btree ("user_id","product_id") WHERE "checkouts"."status" = 'open' and "checkouts"."purpose" = 'show' and "checkouts"."user_id" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "checkouts_open_plan_once" ON "checkouts" USING btree ("user_id") WHERE "checkouts"."status" = 'open' and "checkouts"."purpose" = 'plan';--> statement-breakpoint
CREATE INDEX "checkouts_open" ON "checkouts" USING btree ("expires_at") WHERE "checkouts"."status" = 'open';--> statement-breakpoint
CREATE INDEX "checkouts_closed" ON "checkouts" USING btree ("updated_at") WHERE "checkouts"."status" = 'closed';--> statement-breakpoint
CREATE INDEX "checkouts_of_guest" ON "checkouts" USING btree ("email") WHERE "checkouts"."user_id" is null;--> statement-breakpoint
CREATE INDEX "checkouts_of_product" ON "checkouts" USING btree ("product_id","created_at");--> statement-breakpoint
CREATE INDEX "checkouts_of_user" ON "checkouts" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "checkouts_of_coupon" ON "checkouts" USING btree ("coupon_id");--> statement-breakpoint
CREATE INDEX "payment_cards_of_user" ON "payment_cards" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "payment_customers_of_user" ON "payment_customers" USING btree ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "payment_customers_main_once" ON "payment_customers" USING btree ("user_id",coalesce("account", '')) WHERE "payment_customers"."is_main";--> statement-breakpoint
CREATE INDEX "payment_events_waiting" ON "payment_events" USING btree ("retried_at" NULLS FIRST,"received_at") WHERE "payment_events"."handled_at" is null;--> statement-breakpoint
CREATE INDEX "payment_events_at" ON "payment_events" USING btree ("at");--> statement-breakpoint
CREATE INDEX "coupon_redemptions_of_coupon" ON "coupon_redemptions" USING btree ("coupon_id","state");--> statement-breakpoint
CREATE INDEX "coupon_redemptions_of_user" ON "coupon_redemptions" USING btree ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "coupons_code_once" ON "coupons" USING btree ("creator_id","code");--> statement-breakpoint
CREATE INDEX "coupons_of_creator" ON "coupons" USING btree ("creator_id","id");--> statement-breakpoint
CREATE INDEX "coupons_of_product" ON "coupons" USING btree ("product_id");--> statement-breakpoint
CREATE UNIQUE INDEX "creators_one_per_user" ON "creators" USING btree ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "creators_domain_once" ON "creators" USING btree ("domain");--> statement-breakpoint
CREATE INDEX "creators_domain_prefix" ON "creators" USING btree ("domain" text_pattern_ops);--> statement-breakpoint
CREATE INDEX "creators_name_prefix" ON "creators" USING btree (lower("name") text_pattern_ops);--> statement-breakpoint
CREATE INDEX "domains_of_creator" ON "domains" USING btree ("creator_id");--> statement-breakpoint
CREATE INDEX "episode_search_words" ON "episode_search" USING gin ("words") WITH (fastupdate=false);--> statement-breakpoint
CREATE INDEX "episode_search_of_product" ON "episode_search" USING btree ("product_id");--> statement-breakpoint
CREATE INDEX "product_search_names" ON "product_search" USING gin ("names") WITH (fastupdate=false);--> statement-breakpoint
CREATE INDEX "product_search_about" ON "product_search" USING gin ("about") WITH (fastupdate=false);--> statement-breakpoint
CREATE INDEX "product_search_popular" ON "product_search" USING btree ("popularity","product_id");--> statement-breakpoint
CREATE INDEX "product_search_newest" ON "product_search" USING btree ("created_at","product_id");--> statement-breakpoint
CREATE INDEX "product_search_by_name" ON "product_search" USING btree ("sort_name","product_id");--> statement-breakpoint
CREATE INDEX "product_search_category" ON "product_search" USING btree ("category","popularity");--> statement-breakpoint
CREATE INDEX "product_search_language" ON "product_search" USING btree ("language","popularity","product_id");--> statement-breakpoint
CREATE INDEX "search_words_alike" ON "search_words" USING gin ("word" gin_trgm_ops);--> statement-breakpoint
CREATE UNIQUE INDEX "donations_checkout_once" ON "donations" USING btree ("checkout_id");--> statement-breakpoint
CREATE INDEX "donations_of_creator" ON "donations" USING btree ("creator_id","donated_at");--> statement-breakpoint
CREATE INDEX "donations_of_user" ON "donations" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "donations_of_subscription" ON "donations" USING btree ("subscription_id");--> statement-breakpoint
CREATE UNIQUE INDEX "announcements_once" ON "announcements" USING btree ("episode_id","user_id");--> statement-breakpoint
CREATE INDEX "announcements_of_user" ON "announcements" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "promos_of_creator" ON "promos" USING btree ("creator_id");--> statement-breakpoint
CREATE INDEX "episode_batches_old" ON "episode_batches" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "episode_batches_of_product" ON "episode_batches" USING btree ("product_id");--> statement-breakpoint
CREATE UNIQUE INDEX "episodes_slug_once" ON "episodes" USING btree ("product_id","slug") WHERE "episodes"."deleted_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "episodes_guid_once" ON "episodes" USING btree ("product_id","guid");--> statement-breakpoint
CREATE UNIQUE INDEX "episodes_upload_once" ON "episodes" USING btree ("upload_key");--> statement-breakpoint
CREATE INDEX "episodes_early" ON "episodes" USING btree ("early_until") WHERE "episodes"."early_until" is not null;--> statement-breakpoint
CREATE INDEX "episodes_in_drip" ON "episodes" USING btree ("product_id","release_at","id") WHERE "episodes"."status" = 'published' and "episodes"."type" = 'private' and "episodes"."deleted_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "episodes_replacement_once" ON "episodes" USING btree ("replacement_key");--> statement-breakpoint
CREATE INDEX "episodes_in_play_order" ON "episodes" USING btree ("product_id","status","release_at" DESC NULLS FIRST,"id" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "episodes_latest_of_creator" ON "episodes" USING btree ("creator_id","status","release_at" DESC NULLS FIRST,"id" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "episodes_without_waveform" ON "episodes" USING btree ("id") WHERE "episodes"."audio_key" is not null and "episodes"."peaks_key" is null and "episodes"."sound_tried_at" is null;--> statement-breakpoint
CREATE INDEX "episodes_deleted" ON "episodes" USING btree ("deleted_at") WHERE "episodes"."deleted_at" is not null;--> statement-breakpoint
CREATE INDEX "episodes_upcoming" ON "episodes" USING btree ("creator_id","release_at") WHERE "episodes"."status" = 'scheduled';--> statement-breakpoint
CREATE INDEX "episodes_taken_down" ON "episodes" USING btree ("taken_down_at") WHERE "episodes"."taken_down_at" is not null;--> statement-breakpoint
CREATE INDEX "former_episode_slugs_of_episode" ON "former_episode_slugs" USING btree ("episode_id");--> statement-breakpoint
CREATE INDEX "feed_fetches_by_age" ON "feed_fetches" USING btree ("at");--> statement-breakpoint
CREATE UNIQUE INDEX "feed_links_token_once" ON "feed_links" USING btree ("token_hash");--> statement-breakpoint
CREATE UNIQUE INDEX "feed_links_current_once" ON "feed_links" USING btree ("user_id","product_id","app") WHERE "feed_links"."replaced_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "feed_links_of_all_once" ON "feed_links" USING btree ("user_id","app") WHERE "feed_links"."replaced_at" is null and "feed_links"."product_id" is null;--> statement-breakpoint
CREATE INDEX "feed_links_of_product" ON "feed_links" USING btree ("product_id");--> statement-breakpoint
CREATE UNIQUE INDEX "gifts_token_once" ON "gifts" USING btree ("token_hash");--> statement-breakpoint
CREATE UNIQUE INDEX "gifts_checkout_once" ON "gifts" USING btree ("checkout_id");--> statement-breakpoint
CREATE INDEX "gifts_of_giver" ON "gifts" USING btree ("giver_id");--> statement-breakpoint
CREATE INDEX "gifts_of_product" ON "gifts" USING btree ("product_id");--> statement-breakpoint
CREATE INDEX "gifts_of_receiver" ON "gifts" USING btree ("redeemed_by");--> statement-breakpoint
CREATE INDEX "gifts_ending" ON "gifts" USING btree ("access_until") WHERE "gifts"."access_until" is not null and "gifts"."end_reported_at" is null and "gifts"."cancelled_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "ledger_entries_once" ON "ledger_entries" USING btree ("key");--> statement-breakpoint
CREATE INDEX "ledger_entries_of_creator" ON "ledger_entries" USING btree ("creator_id","at");--> statement-breakpoint
CREATE INDEX "ledger_entries_of_sale" ON "ledger_entries" USING btree ("sale_id");--> statement-breakpoint
CREATE INDEX "ledger_entries_of_payout" ON "ledger_entries" USING btree ("payout_id");--> statement-breakpoint
CREATE INDEX "ledger_entries_at" ON "ledger_entries" USING btree ("at");--> statement-breakpoint
CREATE INDEX "ledger_lines_of_entry" ON "ledger_lines" USING btree ("entry_id");--> statement-breakpoint
CREATE INDEX "ledger_lines_of_creator" ON "ledger_lines" USING btree ("creator_id","currency","available_at","amount_minor") WHERE "ledger_lines"."account" = 'creator_payable';--> statement-breakpoint
CREATE INDEX "downloads_of_creator" ON "downloads" USING btree ("creator_id","day");--> statement-breakpoint
CREATE INDEX "episode_positions_latest" ON "episode_positions" USING btree ("user_id","updated_at");--> statement-breakpoint
CREATE INDEX "episode_positions_of_episode" ON "episode_positions" USING btree ("episode_id");--> statement-breakpoint
CREATE INDEX "legacy_plays_of_caller" ON "legacy_plays" USING btree ("episode_id","caller","at");--> statement-breakpoint
CREATE INDEX "legacy_plays_by_age" ON "legacy_plays" USING btree ("at");--> statement-breakpoint
CREATE INDEX "listening_days_of_creator" ON "listening_days" USING btree ("creator_id","day");--> statement-breakpoint
CREATE INDEX "listens_of_creator" ON "listens" USING btree ("creator_id","day");--> statement-breakpoint
CREATE UNIQUE INDEX "identities_subject_once" ON "identities" USING btree ("provider","subject");--> statement-breakpoint
CREATE UNIQUE INDEX "identities_one_per_provider" ON "identities" USING btree ("user_id","provider");--> statement-breakpoint
CREATE INDEX "login_challenges_expiry" ON "login_challenges" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "passkeys_of_user" ON "passkeys" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "recovery_codes_of_user" ON "recovery_codes" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "uploads_of_user" ON "uploads" USING btree ("user_id","created_at");--> statement-breakpoint
CREATE INDEX "uploads_expiry" ON "uploads" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "copied_customers_of_creator" ON "copied_customers" USING btree ("creator_id");--> statement-breakpoint
CREATE INDEX "old_feed_addresses_of_creator" ON "old_feed_addresses" USING btree ("creator_id","hash");--> statement-breakpoint
CREATE INDEX "old_feed_addresses_of_user" ON "old_feed_addresses" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "subscriber_import_lines_waiting" ON "subscriber_import_lines" USING btree ("import_id","state","line") WHERE "subscriber_import_lines"."state" in ('read', 'checked') and "subscriber_import_lines"."outcome" is distinct from 'skip';--> statement-breakpoint
CREATE INDEX "subscriber_import_lines_of_email" ON "subscriber_import_lines" USING btree ("import_id","email","line");--> statement-breakpoint
CREATE INDEX "subscriber_import_lines_of_customer" ON "subscriber_import_lines" USING btree ("import_id","customer_id","line");--> statement-breakpoint
CREATE INDEX "subscriber_import_lines_of_subscription" ON "subscriber_import_lines" USING btree ("import_id","subscription_id","line");--> statement-breakpoint
CREATE INDEX "subscriber_import_lines_of_user" ON "subscriber_import_lines" USING btree ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "subscriber_imports_one_at_a_time" ON "subscriber_imports" USING btree ("creator_id") WHERE "subscriber_imports"."status" in ('reading', 'checking', 'ready', 'running');--> statement-breakpoint
CREATE INDEX "subscriber_imports_of_creator" ON "subscriber_imports" USING btree ("creator_id","id");--> statement-breakpoint
CREATE INDEX "subscriber_imports_working" ON "subscriber_imports" USING btree ("updated_at") WHERE "subscriber_imports"."status" in ('reading', 'checking', 'running');--> statement-breakpoint
CREATE INDEX "subscriber_imports_ended" ON "subscriber_imports" USING btree ("ended_at") WHERE "subscriber_imports"."ended_at" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "subscriber_move_lines_once" ON "subscriber_move_lines" USING btree ("subscription_id") WHERE "subscriber_move_lines"."state" in ('waiting', 'moving', 'moved');--> statement-breakpoint
CREATE INDEX "subscriber_move_lines_waiting" ON "subscriber_move_lines" USING btree ("move_id","renews_at") WHERE "subscriber_move_lines"."state" in ('waiting', 'moving');--> statement-breakpoint
CREATE INDEX "subscriber_move_lines_from" ON "subscriber_move_lines" USING btree ("from_id");--> statement-breakpoint
CREATE UNIQUE INDEX "subscriber_moves_one_at_a_time" ON "subscriber_moves" USING btree ("creator_id") WHERE "subscriber_moves"."status" = 'running';--> statement-breakpoint
CREATE INDEX "subscriber_moves_of_creator" ON "subscriber_moves" USING btree ("creator_id","id");--> statement-breakpoint
CREATE INDEX "outbox_failed" ON "outbox" USING btree ("id") WHERE "outbox"."failed_at" is not null and "outbox"."sent_at" is null;--> statement-breakpoint
CREATE INDEX "outbox_by_age" ON "outbox" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "outbox_of_user" ON "outbox" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "outbox_of_recipient" ON "outbox" USING btree ("to","topic","created_at");--> statement-breakpoint
CREATE INDEX "operator_actions_of_target" ON "operator_actions" USING btree ("target","id");--> statement-breakpoint
CREATE INDEX "operator_actions_at" ON "operator_actions" USING btree ("at");--> statement-breakpoint
CREATE UNIQUE INDEX "payout_papers_number_once" ON "payout_papers" USING btree ("creator_id","number");--> statement-breakpoint
CREATE UNIQUE INDEX "payout_papers_once" ON "payout_papers" USING btree ("payout_id","kind");--> statement-breakpoint
CREATE UNIQUE INDEX "payouts_public_once" ON "payouts" USING btree ("public_id");--> statement-breakpoint
CREATE UNIQUE INDEX "payouts_once_a_month" ON "payouts" USING btree ("creator_id","currency","month") WHERE "payouts"."status" <> 'reversed';--> statement-breakpoint
CREATE INDEX "payouts_of_creator" ON "payouts" USING btree ("creator_id","id");--> statement-breakpoint
CREATE INDEX "payouts_by_status" ON "payouts" USING btree ("status","id");--> statement-breakpoint
CREATE INDEX "payouts_in_file" ON "payouts" USING btree ("transfer_file") WHERE "payouts"."transfer_file" is not null;--> statement-breakpoint
CREATE INDEX "former_product_slugs_of_product" ON "former_product_slugs" USING btree ("product_id");--> statement-breakpoint
CREATE UNIQUE INDEX "products_slug_once" ON "products" USING btree ("creator_id","slug") WHERE "products"."retired_at" is null;--> statement-breakpoint
CREATE INDEX "products_of_creator" ON "products" USING btree ("creator_id","created_at");--> statement-breakpoint
CREATE INDEX "products_newest" ON "products" USING btree ("created_at","id") WHERE "products"."retired_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "products_feed_guid_once" ON "products" USING btree ("feed_guid");--> statement-breakpoint
CREATE INDEX "products_name_prefix" ON "products" USING btree (lower("name") text_pattern_ops);--> statement-breakpoint
CREATE INDEX "products_taken_down" ON "products" USING btree ("taken_down_at") WHERE "products"."taken_down_at" is not null;--> statement-breakpoint
CREATE INDEX "provider_entries_at" ON "provider_entries" USING btree ("at");--> statement-breakpoint
CREATE INDEX "provider_entries_fees" ON "provider_entries" USING btree ("fee_id") WHERE "provider_entries"."kind" = 'application_fee';--> statement-breakpoint
CREATE INDEX "reconciliation_differences_open" ON "reconciliation_differences" USING btree ("at") WHERE "reconciliation_differences"."resolved_at" is null;--> statement-breakpoint
CREATE INDEX "reconciliations_finished" ON "reconciliations" USING btree ("finished_at");--> statement-breakpoint
CREATE INDEX "old_feeds_due" ON "old_feeds" USING btree ("next_at") WHERE "old_feeds"."next_at" is not null;--> statement-breakpoint
CREATE INDEX "old_feeds_of_creator" ON "old_feeds" USING btree ("creator_id");--> statement-breakpoint
CREATE UNIQUE INDEX "rss_import_items_once" ON "rss_import_items" USING btree ("import_id","guid");--> statement-breakpoint
CREATE INDEX "rss_import_items_in_order" ON "rss_import_items" USING btree ("import_id","position");--> statement-breakpoint
CREATE INDEX "rss_import_items_waiting" ON "rss_import_items" USING btree ("import_id","position") WHERE "rss_import_items"."state" = 'waiting';--> statement-breakpoint
CREATE INDEX "rss_import_items_of_episode" ON "rss_import_items" USING btree ("episode_id");--> statement-breakpoint
CREATE UNIQUE INDEX "rss_imports_one_at_a_time" ON "rss_imports" USING btree ("creator_id") WHERE "rss_imports"."status" in ('awaiting_proof', 'confirmed', 'in_progress') and not "rss_imports"."is_follow_up";--> statement-breakpoint
CREATE UNIQUE INDEX "rss_imports_token_once" ON "rss_imports" USING btree ("token_hash");--> statement-breakpoint
CREATE INDEX "rss_imports_of_creator" ON "rss_imports" USING btree ("creator_id","id");--> statement-breakpoint
CREATE INDEX "rss_imports_of_product" ON "rss_imports" USING btree ("product_id");--> statement-breakpoint
CREATE INDEX "rss_imports_open" ON "rss_imports" USING btree ("status","confirmed_at") WHERE "rss_imports"."status" in ('awaiting_proof', 'confirmed', 'in_progress');--> statement-breakpoint
CREATE UNIQUE INDEX "seller_accounts_account_once" ON "seller_accounts" USING btree ("account_id") WHERE "seller_accounts"."status" <> 'disconnected';--> statement-breakpoint
CREATE UNIQUE INDEX "seller_accounts_creator_once" ON "seller_accounts" USING btree ("creator_id") WHERE "seller_accounts"."status" <> 'disconnected';--> statement-breakpoint
CREATE INDEX "seller_accounts_of_account" ON "seller_accounts" USING btree ("account_id","id");--> statement-breakpoint
CREATE INDEX "seller_accounts_of_creator" ON "seller_accounts" USING btree ("creator_id","id");--> statement-breakpoint
CREATE INDEX "seller_accounts_leaving" ON "seller_accounts" USING btree ("id") WHERE "seller_accounts"."status" = 'disconnected' and "seller_accounts"."released_at" is null;--> statement-breakpoint
CREATE INDEX "studio_notice_dismissals_of_user" ON "studio_notice_dismissals" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "studio_notices_current" ON "studio_notices" USING btree ("ends_at") WHERE "studio_notices"."withdrawn_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "abuse_reports_once" ON "abuse_reports" USING btree ("target","reporter_email") WHERE "abuse_reports"."state" = 'open';--> statement-breakpoint
CREATE INDEX "abuse_reports_by_state" ON "abuse_reports" USING btree ("state","created_at");--> statement-breakpoint
CREATE INDEX "abuse_reports_decided_by_age" ON "abuse_reports" USING btree ("decided_at");--> statement-breakpoint
CREATE INDEX "abuse_reports_open_of_creator" ON "abuse_reports" USING btree ("creator_id") WHERE "abuse_reports"."state" = 'open';--> statement-breakpoint
CREATE INDEX "abuse_reports_of_user" ON "abuse_reports" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "abuse_reports_of_address" ON "abuse_reports" USING btree ("reporter_email");--> statement-breakpoint
CREATE INDEX "contact_messages_by_age" ON "contact_messages" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "contact_messages_of_address" ON "contact_messages" USING btree ("email","created_at");--> statement-breakpoint
CREATE INDEX "activity_of_creator" ON "activity" USING btree ("creator_id","id");--> statement-breakpoint
CREATE INDEX "activity_of_user" ON "activity" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "activity_old" ON "activity" USING btree ("at");--> statement-breakpoint
CREATE UNIQUE INDEX "invitations_once" ON "invitations" USING btree ("creator_id","email");--> statement-breakpoint
CREATE UNIQUE INDEX "invitations_token_once" ON "invitations" USING btree ("token_hash");--> statement-breakpoint
CREATE INDEX "invitations_expiry" ON "invitations" USING btree ("expires_at");--> statement-breakpoint
CREATE UNIQUE INDEX "members_once" ON "members" USING btree ("creator_id","user_id");--> statement-breakpoint
CREATE INDEX "members_of_user" ON "members" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "vat_number_checks_waiting" ON "vat_number_checks" USING btree ("updated_at") WHERE "vat_number_checks"."status" = 'unknown';--> statement-breakpoint
CREATE INDEX "vat_number_checks_answered" ON "vat_number_checks" USING btree ("checked_at") WHERE "vat_number_checks"."status" <> 'unknown';
