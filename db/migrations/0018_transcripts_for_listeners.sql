-- Rows from before 0016 kept its former default: the transcript of a private episode was for everybody.
UPDATE "episodes" SET "transcript_show_all" = false WHERE "transcript_show_all";
