import {
  type Job,
  measureMissing,
