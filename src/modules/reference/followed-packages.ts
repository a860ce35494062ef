import { sql } from 'kysely';
import { catalogue } from '../../domain/catalog/catalogue.ts';
import { derivePurls } from '../../domain/identity/job-identity.ts';
import type { SourceTypeId } from '../../domain/source-types/source-types.ts';
import {
  type OsvPackage,
  packageKeyOf,
  packageOfPurl,
  parsePackage,
} from '../../domain/verdicts/osv-package.ts';
import type { Database, Tx } from '../../platform/database/index.ts';
import { keysOfEntry } from './catalog-keys.ts';

/** How gather jobs and the catalog lead to a package. */
export interface FollowedPackage {
  readonly purls: Set<string>;
  readonly catalogKeys: Set<string>;
}

interface JobRow {
  id: number;
  purls: string[] | null;
  source_type: SourceTypeId;
  artifact_name: string;
  vulnerability_packages: string[] | null;
}

const jobsPerStatement = 10_000;

/** All packages that are followed, by their keys. Others aren't stored. */
export async function readFollowedPackages(db: Database | Tx): Promise<Map<string, FollowedPackage>> {
  const followed = new Map<string, FollowedPackage>();
  const follow = (osvPackage: OsvPackage): FollowedPackage => {
    const key = packageKeyOf(osvPackage);
    const known = followed.get(key) ?? { purls: new Set(), catalogKeys: new Set() };
    followed.set(key, known);
    return known;
  };
  const followNamed = (texts: readonly string[]) =>
    texts.flatMap((text) => {
      const named = parsePackage(text);
      return named === null ? [] : [follow(named)];
    });
  const followPurls = (purls: readonly string[]) => {
    for (const purl of purls) {
      const found = packageOfPurl(purl);
      if (found !== null) follow(found).purls.add(purl);
    }
  };

  for (const entry of catalogue) {
    const named = followNamed(entry.vulnerability_packages ?? []);
    for (const each of named) for (const key of keysOfEntry(entry)) each.catalogKeys.add(key);
    if (named.length === 0) followPurls(derivePurls(entry));
  }
  for (let last = 0; ; ) {
    const { rows } = await sql<JobRow>`
      SELECT id, purls, source_type, artifact_name, vulnerability_packages
      FROM gather_jobs WHERE id > ${last} ORDER BY id LIMIT ${sql.lit(jobsPerStatement)}`.execute(db);
    for (const job of rows) {
      followNamed(job.vulnerability_packages ?? []);
      followPurls(job.purls ?? derivePurls(job));
    }
    if (rows.length < jobsPerStatement) return followed;
    last = rows.at(-1)!.id;
  }
}
