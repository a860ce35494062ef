import { sql } from 'kysely';
import { catalog } from '../../domain/catalog/catalog.ts';
import { knownSoftware } from '../../domain/catalog/software.ts';
import { derivePurls } from '../../domain/identity/job-identity.ts';
import {
  type OsvPackage,
  packageKey,
  packagesFromPurl,
  parsePackage,
} from '../../domain/vulnerabilities/osv-package.ts';
import { isPublicPackage, type PackageOrigin } from '../../domain/vulnerabilities/public-package.ts';
import type { Database, Tx } from '../../platform/database/index.ts';
import { keysOfEntry } from './catalog-keys.ts';

/** A package, with the gather jobs and catalog entries that lead to it. */
export interface FollowedPackage {
  readonly purls: Set<string>;
  readonly catalogKeys: Set<string>;
  /**
   * Package by each of its names that can be sent to OSV. Empty if no name can be sent. Unlike keys, OSV
   * names are case-sensitive.
   */
  readonly publicNames: Map<string, OsvPackage>;
  readonly origins: Set<Origin['from']>;
  /** Organizations on whose behalf the names are sent. The catalog belongs to organization 1. */
  readonly organizations: Set<number>;
}

interface JobRow {
  organization_id: number;
  id: number;
  purls: string[];
  purls_source: 'set' | 'derived';
  artifact_name: string;
  vulnerability_packages: string[] | null;
  credential_name: string | null;
}

const jobsPerStatement = 10_000;

/**
 * Maximum number of names per package. Names from the catalog and from the oldest jobs come first, so that no
 * job can displace them.
 */
const maxNames = 4;

type Origin = PackageOrigin & { readonly organizationId: number };

function createFollowed(): FollowedPackage {
  return {
    purls: new Set(),
    catalogKeys: new Set(),
    publicNames: new Map(),
    origins: new Set(),
    organizations: new Set(),
  };
}

/** True if a package URL leads to all of these packages even without the catalog. */
function isDerived(purl: string, packages: readonly string[]): boolean {
  const derived = packagesFromPurl(purl).map(packageKey);
  return packages.every((each) => derived.includes(each));
}

/** Returns the artifact name in the format of the package's ecosystem. Actions are named without their host. */
function spelledLike(artifactName: string, { ecosystem }: OsvPackage): string {
  return ecosystem === 'GitHub Actions' ? artifactName.replace(/^github\.com\//, '') : artifactName;
}

/** Returns all followed packages by key. Data of other packages isn't stored. */
export async function readFollowedPackages(db: Database | Tx): Promise<Map<string, FollowedPackage>> {
  const followed = new Map<string, FollowedPackage>();
  /** @param artifactName Artifact name of the catalog entry or job that names the package. Can be empty. */
  const follow = (osvPackage: OsvPackage, origin: Origin | null, artifactName: string) => {
    const key = packageKey(osvPackage);
    const known = followed.get(key) ?? createFollowed();
    followed.set(key, known);
    if (origin !== null) known.origins.add(origin.from);
    if (origin !== null && isPublicPackage([origin])) {
      known.organizations.add(origin.organizationId);
      // Also use the spelling of the artifact name, because package URLs are lowercase, while repository names can
      // contain uppercase letters.
      const asWritten = { ...osvPackage, name: spelledLike(artifactName, osvPackage) };
      for (const each of packageKey(asWritten) === key ? [osvPackage, asWritten] : [osvPackage])
        if (known.publicNames.size < maxNames) known.publicNames.set(each.name, each);
    }
    return known;
  };
  const followNamed = (texts: readonly string[], origin: Origin, artifactName: string) =>
    texts.flatMap((text) => {
      const named = parsePackage(text);
      return named === null ? [] : [follow(named, origin, artifactName)];
    });
  /** @param origin `null` if the job specifies other packages, so the packages of these URLs aren't used. */
  const followPurls = (purls: readonly string[], origin: Origin | null, artifactName: string) => {
    for (const purl of purls) {
      for (const found of packagesFromPurl(purl)) follow(found, origin, artifactName).purls.add(purl);
    }
  };

  const fromCatalog: Origin = { from: 'catalog', organizationId: 1 };
  for (const entry of catalog) {
    const named = followNamed(entry.vulnerability_packages ?? [], fromCatalog, entry.artifact_name);
    for (const each of named) for (const key of keysOfEntry(entry)) each.catalogKeys.add(key);
    if (named.length === 0) followPurls(derivePurls(entry), fromCatalog, entry.artifact_name);
  }
  for (const { vulnerability_packages = [], purls } of knownSoftware)
    for (const each of followNamed(vulnerability_packages, fromCatalog, ''))
      for (const purl of purls)
        if (isDerived(purl, vulnerability_packages)) each.purls.add(purl);
        else each.catalogKeys.add(purl);
  for (let last = 0; ; ) {
    const { rows } = await sql<JobRow>`
      SELECT organization_id, id, purls, purls_source, artifact_name, vulnerability_packages, credential_name
      FROM gather_jobs WHERE id > ${last} ORDER BY id LIMIT ${sql.lit(jobsPerStatement)}`.execute(db);
    for (const job of rows) {
      const origin = (isSet: boolean): Origin => ({
        from: 'job',
        isSet,
        credentialName: job.credential_name,
        organizationId: job.organization_id,
      });
      followNamed(job.vulnerability_packages ?? [], origin(true), job.artifact_name);
      const isUsed = job.vulnerability_packages === null;
      followPurls(job.purls, isUsed ? origin(job.purls_source === 'set') : null, job.artifact_name);
    }
    if (rows.length < jobsPerStatement) return followed;
    last = rows.at(-1)!.id;
  }
}
