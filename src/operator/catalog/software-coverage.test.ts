import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { discoverFiles } from '../../../tests/helpers/discover-files.ts';
import { filesAtLastCommit } from '../../../tests/helpers/last-tree.ts';
import { readRealProducts } from '../../../tests/helpers/lifecycle-files.ts';
import { hasTestData, testDataPath } from '../../../tests/helpers/test-data.ts';
import { normalizePurl } from '../../domain/artifacts/purl.ts';
import { knownSources } from '../../domain/catalog/catalog.ts';
import { knownSoftware } from '../../domain/catalog/software.ts';
import { derivePurls } from '../../domain/identity/job-identity.ts';
import type { SourceTypeId } from '../../domain/source-types/source-types.ts';
import { packageKey, packagesFromPurl } from '../../domain/vulnerabilities/osv-package.ts';
import { parseRecordLine, readVulnerability } from '../../domain/vulnerabilities/read-vulnerability.ts';

interface Upstream {
  source_type: SourceTypeId;
  artifact_name: string;
}

interface Covered {
  name: string;
  lifecycle: string | null;
  packages: string[];
}

/**
 * Minimum numbers of upstreams in each repository that have a lifecycle, and that have a package with vulnerability
 * records.
 */
const repositories = [
  ['alphagov_govuk-helm-charts', { lifecycles: 5, packages: 6 }],
  ['fluxcd_flux2-kustomize-helm-example', { lifecycles: 3, packages: 5 }],
  ['ricsanfre_pi-cluster', { lifecycles: 26, packages: 33 }],
] as const;

/** The most-pulled images, according to Docker Hub and charts. */
const images =
  `alpine amazoncorretto busybox caddy cassandra debian docker eclipse-temurin elasticsearch golang
  haproxy httpd influxdb kibana mariadb maven memcached mongo mysql nextcloud nginx node openjdk php postgres python
  rabbitmq redis ruby rust solr sonarqube tomcat traefik ubuntu vault wordpress zookeeper grafana/grafana
  hashicorp/vault quay.io/argoproj/argocd quay.io/keycloak/keycloak registry.k8s.io/ingress-nginx/controller`
    .split(/\s+/)
    .map((name) => {
      if (name.split('/')[0]!.includes('.')) return name;
      return name.includes('/') ? `docker.io/${name}` : `docker.io/library/${name}`;
    });

describe.skipIf(!hasTestData)('software with reference data', () => {
  const productByPurl = new Map(
    readRealProducts().flatMap(({ product, identifiers }) =>
      identifiers.flatMap(([type, id]) => (type === 'purl' ? [[normalizePurl(id), product] as const] : [])),
    ),
  );
  const keys = new Set(
    ['osv-bitnami', 'osv-go'].flatMap((file) =>
      readFileSync(testDataPath(`vulnerabilities/${file}.jsonl`), 'utf8')
        .split('\n')
        .flatMap((line) => readVulnerability(parseRecordLine(line))?.affected.map(packageKey) ?? []),
    ),
  );

  function cover(upstream: Upstream): Covered {
    const purls = derivePurls(upstream);
    const software = knownSoftware.filter((each) => each.purls.some((purl) => purls.includes(purl)));
    const byPurl = purls.map((purl) => productByPurl.get(normalizePurl(purl)));
    const named = software.flatMap(({ vulnerability_packages = [] }) => vulnerability_packages);
    const packages = named.length > 0 ? named : purls.flatMap(packagesFromPurl).map(packageKey);
    return {
      name: upstream.artifact_name,
      lifecycle: software[0]?.lifecycle_product ?? byPurl.find((product) => product !== undefined) ?? null,
      packages: packages.filter((key) => keys.has(key)),
    };
  }

  function report(title: string, covered: readonly Covered[]) {
    const counts = {
      total: covered.length,
      lifecycles: covered.filter(({ lifecycle }) => lifecycle !== null).length,
      packages: covered.filter(({ packages }) => packages.length > 0).length,
    };
    const rows = covered.map(
      ({ name, lifecycle, packages }) => `${name} | ${lifecycle ?? '-'} | ${packages.join(', ') || '-'}`,
    );
    console.log(
      [
        `${title}: ${counts.lifecycles} of ${counts.total} have a lifecycle, ${counts.packages} packages with records`,
        ...rows,
      ].join('\n'),
    );
    return counts;
  }

  test('includes most of the popular images', () => {
    const counts = report(
      'images',
      images.map((artifact_name) => cover({ source_type: 'oci_registry', artifact_name })),
    );
    expect(counts.lifecycles / counts.total).toBeGreaterThan(0.9);
    expect(counts.packages / counts.total).toBeGreaterThan(0.7);
  });

  test.each(repositories)('includes the minimum number of upstreams in %s', (name, least) => {
    const upstreams = new Map(
      discoverFiles(filesAtLastCommit(name), { known: knownSources }).items.flatMap(({ proposal }) =>
        proposal === null ? [] : [[`${proposal.source_type} ${proposal.artifact_name}`, proposal] as const],
      ),
    );
    const counts = report(name, [...upstreams.values()].map(cover));
    expect(counts.lifecycles).toBeGreaterThanOrEqual(least.lifecycles);
    expect(counts.packages).toBeGreaterThanOrEqual(least.packages);
  });
});
