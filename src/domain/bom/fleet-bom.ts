import { ComponentType, LifecyclePhase } from '@cyclonedx/cyclonedx-library/Enums';
import { Bom, Component, Property } from '@cyclonedx/cyclonedx-library/Models';
import { JSON as Json } from '@cyclonedx/cyclonedx-library/Serialize';
import { Spec1dot6 } from '@cyclonedx/cyclonedx-library/Spec';
import { formatPurl } from '../artifacts/purl.ts';
import { type Deployed, deployedPackage } from './deployed-package.ts';

/**
 * Confidence in the version of deployed software. `confirmed`: it was read, and nothing has contradicted it
 * since. `reported`: a person or a pipeline reported it, and nothing reads it. `last_known`: it can't be read
 * anymore. `unknown`: no version was read or reported yet.
 */
export type VersionStatus = 'confirmed' | 'reported' | 'last_known' | 'unknown';

/** Deployed software in a bill of materials. */
export interface DeployedSoftware extends Deployed {
  scrapeJobId: number;
  status: VersionStatus;
  isImage: boolean;
  service: string | null;
  component: string | null;
  environment: string | null;
  owner: string | null;
  /** Time of the last reading, or of the deployment according to the last report. */
  lastSeenAt: Date | null;
  /** Time since which the version is only the last known one. The next field has the reason. */
  lastKnownSince: Date | null;
  lastKnownReason: string | null;
}

interface BomContext {
  /** Random, because each document describes the state at a different time. */
  serialNumber: string;
  organizationName: string;
  programVersion: string;
  now: Date;
}

/**
 * The library's document, and a statement about the completeness of its list, which the library can't
 * express.
 */
interface FleetBom extends Json.Types.Normalized.Bom {
  components: Json.Types.Normalized.Component[];
  compositions: { aggregate: 'unknown'; assemblies: string[] }[];
}

const factory = new Json.Normalize.Factory(Spec1dot6);

/**
 * Describes deployed software as a CycloneDX 1.6 document, in short steps. The list is never called complete, because
 * software that no scrape job tracks is unknown.
 */
export function* fleetBom(
  { serialNumber, organizationName, programVersion, now }: BomContext,
  software: Iterable<DeployedSoftware>,
): Generator<void, FleetBom, void> {
  const bom = new Bom({ serialNumber });
  const { metadata } = bom;
  metadata.timestamp = now;
  metadata.lifecycles.add(LifecyclePhase.Operations);
  metadata.tools.components.add(
    new Component(ComponentType.Application, 'Pacekeeper', { version: programVersion }),
  );
  metadata.component = new Component(ComponentType.Platform, organizationName, { bomRef: rootRef });
  const document = factory.makeForBom().normalize(bom, {});
  const normalizer = factory.makeForComponent();
  const components: Json.Types.Normalized.Component[] = [];
  for (const item of software) {
    components.push(normalizer.normalize(toComponent(item), {})!);
    yield;
  }
  return {
    ...document,
    components,
    compositions: [{ aggregate: 'unknown', assemblies: [rootRef] }],
  };
}

const rootRef = 'organization';

function toComponent(item: DeployedSoftware): Component {
  const purl = deployedPackage(item);
  const component = new Component(
    item.isImage ? ComponentType.Container : ComponentType.Application,
    purl?.name ?? item.name,
    {
      bomRef: `scrape-job-${item.scrapeJobId}`,
      ...(item.version !== null && { version: item.version }),
      ...(purl !== null && { purl: formatPurl(purl) }),
      ...(purl !== null && purl.namespace.length > 0 && { group: purl.namespace.join('/') }),
    },
  );
  const properties: Readonly<Record<string, string | null>> = {
    scrape_job: item.name,
    service: item.service,
    component: item.component,
    environment: item.environment,
    owner: item.owner,
    version_status: item.status,
    last_seen_at: item.lastSeenAt?.toISOString() ?? null,
    last_known_since: item.lastKnownSince?.toISOString() ?? null,
    last_known_reason: item.lastKnownReason,
  };
  for (const [name, value] of Object.entries(properties))
    if (value !== null && value !== '') component.properties.add(new Property(`pacekeeper:${name}`, value));
  return component;
}
