import { Anchor, Code, Group, Text } from '@mantine/core';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { isWebAddress } from '../../ui/is-web-address.ts';

type GatherJob = Schemas['GatherJob'];

const sources = {
  set: 'set manually',
  source: 'from the source',
  annotation: 'from the image',
  label: 'from the image',
  chart: 'from the chart',
  catalog: 'from the catalog',
} satisfies Record<NonNullable<GatherJob['project_url_source']>, string>;

export function PackageUrls({ purls }: { purls: readonly string[] }) {
  return (
    <Group gap={4}>
      {purls.map((purl) => (
        <Code key={purl} style={{ overflowWrap: 'anywhere' }}>
          {purl}
        </Code>
      ))}
    </Group>
  );
}

const productSources = {
  set: 'set manually',
  catalog: 'from the catalog',
  purl: 'by package URL',
} satisfies Record<NonNullable<GatherJob['lifecycle_product_source']>, string>;

/** Shows the product whose support dates apply, and where the assignment comes from. */
export function LifecycleProduct({ job }: { job: GatherJob }) {
  const { lifecycle_product: product, lifecycle_product_source: source } = job;
  if (product === null || source === null) return 'unknown';
  return (
    <Group gap={6}>
      {product === 'none' ? (
        'none'
      ) : (
        <Anchor
          href={`https://endoflife.date/${encodeURIComponent(product)}`}
          target="_blank"
          rel="noreferrer"
          inherit
        >
          {product}
        </Anchor>
      )}
      <Text size="sm" c="dimmed">
        {productSources[source]}
      </Text>
    </Group>
  );
}

/** Shows the packages whose known vulnerabilities apply, and where the assignment comes from. */
export function VulnerabilityPackages({ job }: { job: GatherJob }) {
  const { vulnerability_packages: packages, vulnerability_packages_source: source } = job;
  if (source === null) return 'unknown';
  return (
    <Group gap={6}>
      {packages.length === 0 ? 'none' : <PackageUrls purls={packages} />}
      <Text size="sm" c="dimmed">
        {productSources[source]}
      </Text>
    </Group>
  );
}

/** Shows the project link with its source, because a derived link can be wrong. */
export function ProjectLink({ job, url }: { job: GatherJob; url: string }) {
  return (
    <Group gap={6}>
      {isWebAddress(url) ? (
        <Anchor href={url} target="_blank" rel="noreferrer" inherit style={{ overflowWrap: 'anywhere' }}>
          {url.replace(/^https?:\/\//, '')}
        </Anchor>
      ) : (
        url
      )}
      {job.project_url_source !== null && (
        <Text size="sm" c="dimmed">
          {sources[job.project_url_source]}
        </Text>
      )}
    </Group>
  );
}
