import { createHash } from 'node:crypto';
import fs from 'node:fs/promises';
import path from 'node:path';
import { findBinaries } from './binaries';
import { give, type Identity, identityFor } from './identity';
import { may, openRefuge, REFUGES } from './refuge';

export type Place = {
  /** Holds the cluster (`data`), its port and password (`server.json`) and its log. */
  dir: string;
  /** The folder of initdb, pg_ctl and postgres. */
  bin: string;
  identity: Identity;
  /** Set when `dir` is a refuge: a file in the wished directory that names it. */
  marker?: string;
};

/**
 * Finds a directory and binaries that the server's user can reach. Normally these are the wished directory and
 * node_modules. Below a directory that only root may enter the unprivileged user reaches neither: then the cluster lives
 * in a refuge, named after the wished path (which keeps a marker file naming it), beside a copy of the binaries.
 */
export async function findPlace(wished: string, refuges = REFUGES): Promise<Place> {
  await fs.mkdir(wished, { recursive: true, mode: 0o755 });
  const marker = path.join(wished, 'elsewhere');
  const moved = await placeNamedBy(marker);
  const identity = await identityFor(path.join(moved ?? wished, 'data'));
  const bin = await findBinaries(identity, refuges);
  if (!identity) return { dir: wished, bin, identity };
  await give(wished, identity);
  if (!moved && (await may(identity, 'write', wished))) return { dir: wished, bin, identity };
  return { dir: moved ?? (await refugeFor(wished, identity, refuges)), bin, identity, marker };
}

/** A checkout that was moved keeps its data: the marker counts, not the path it was made for. */
async function placeNamedBy(marker: string): Promise<string | undefined> {
  const dir = (await fs.readFile(marker, 'utf8').catch(() => '')).trim();
  return dir && (await fs.stat(dir).catch(() => undefined)) ? dir : undefined;
}

async function refugeFor(wished: string, identity: NonNullable<Identity>, refuges: string[]): Promise<string> {
  if (await fs.stat(path.join(wished, 'data')).catch(() => undefined))
    throw new Error(
      `user id ${identity.uid} can no longer reach ${wished}: open the directories above it, or set DATABASE_URL`,
    );
  const name = createHash('sha256').update(wished).digest('hex').slice(0, 16);
  const dir = path.join(await openRefuge(identity, refuges), name);
  await fs.mkdir(dir, { recursive: true });
  await give(dir, identity);
  return dir;
}
