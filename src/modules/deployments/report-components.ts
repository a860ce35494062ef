import { ownValue } from '../../domain/json/own-value.ts';
import {
  type ComponentSelection,
  componentName,
  purlProblem,
  type SelectedComponent,
  type SelectionResult,
  selectComponents,
} from '../../domain/parsers/select-components.ts';
import type { Schemas } from '../../generated/client-api.ts';
import type { Database } from '../../platform/database/index.ts';
import { ApiError, invalidField } from '../../platform/errors.ts';
import {
  readUntrustedJson,
  type Sandbox,
  throwSandboxFailure,
  type UntrustedJsonReader,
} from '../../platform/sandbox/index.ts';
import { readSettings } from '../settings/index.ts';
import type { Report } from './report-deployment.ts';

type Bom = NonNullable<Report['sbom']>;
type Outcome = Schemas['ReportedBomComponent'];

/** A component of the bill of materials of a report. */
export interface ReportedComponent {
  name: string;
  found: SelectedComponent;
  /** Report of the component's version. Null if no version was found in the document. */
  report: Report | null;
}

/** Maximum length of the name of a component, which becomes the value of a label. */
const maxNameLength = 200;

const componentReader: UntrustedJsonReader<Parameters<typeof selectComponents>[0], SelectionResult> = {
  read: selectComponents,
  moduleUrl: new URL('../../domain/parsers/select-components.ts', import.meta.url),
  exportName: 'selectComponents',
};

/**
 * Finds the selected components in the bill of materials of a report, and returns the report of each. Stores nothing.
 *
 * @throws ApiError 400 if the document or the selection isn't valid, 503 if the sandbox has no capacity.
 */
export async function readComponents(
  { db, sandbox }: { db: Database; sandbox: Pick<Sandbox, 'run'> },
  organizationId: number,
  report: Report,
): Promise<ReportedComponent[]> {
  const { sbom } = report;
  if (sbom === null) return [];
  const settings = await readSettings(db, organizationId);
  const label = settings['environments.component_label'];
  if (ownValue(report.labels, label) !== undefined)
    throw invalidField('labels', `must not have the label ${label}, which names the components of sbom`);
  const selections = checkSelections(sbom);
  const input = { text: sbom.document, selections };
  const selected = await readUntrustedJson(sandbox, componentReader, input, String(organizationId)).catch(
    (error: unknown) =>
      throwSandboxFailure(error, {
        busy: 'The server is reading too many documents. Try again shortly.',
        tooCostly: { field: 'sbom.document', message: 'takes too much time or memory to read' },
      }),
  );
  if (!selected.ok) throw invalidField('sbom.document', selected.problem);
  return selected.components.map((found, index) => {
    const name = componentName(selections[index]!);
    return {
      name,
      found,
      report:
        found.status === 'found'
          ? {
              ...report,
              sbom: null,
              version: found.version,
              artifact: found.purl,
              // The gather job and the commit of the report belong to the service, not to its components.
              gather_job_id: null,
              commit: null,
              labels: { ...report.labels, [label]: name },
            }
          : null,
    };
  });
}

function checkSelections({ components }: Bom): ComponentSelection[] {
  const names = new Set<string>();
  return components.map(({ purl = null, name = null, group = null }, index) => {
    const field = `sbom.components.${index}`;
    if ((purl === null) === (name === null)) throw invalidField(field, 'must have either purl or name');
    if (purl !== null && group !== null) throw invalidField(`${field}.group`, "can't be combined with purl");
    const problem = purl === null ? null : purlProblem(purl);
    if (problem !== null) throw invalidField(`${field}.purl`, problem);
    const selection: ComponentSelection = purl === null ? { name: name!, group } : { purl };
    const label = componentName(selection);
    if (label.length > maxNameLength)
      throw invalidField(field, `has a name with more than ${maxNameLength} characters`);
    if (names.has(label)) throw invalidField(field, `has the same name as another component: ${label}`);
    names.add(label);
    return selection;
  });
}

interface StoredReport {
  deployment: Schemas['Deployment'];
  is_repeat: boolean;
  alert_config: Outcome['alert_config'];
  not_compared: Outcome['not_compared'];
}

/**
 * Stores the reports of components one after the other. A component that can't be reported doesn't prevent the others.
 *
 * @param store Stores one report in a transaction.
 */
export async function reportComponents(
  components: readonly ReportedComponent[],
  store: (report: Report) => Promise<StoredReport>,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const component of components) outcomes.push(await reportComponent(component, store));
  return outcomes;
}

async function reportComponent(
  { name, found, report }: ReportedComponent,
  store: (report: Report) => Promise<StoredReport>,
): Promise<Outcome> {
  const without = (status: Outcome['status'], message: string): Outcome => ({
    name,
    status,
    message,
    version: null,
    choice: null,
    other_versions: [],
    deployment: null,
    is_repeat: false,
    alert_config: null,
    not_compared: null,
  });
  if (found.status === 'not_found')
    return without(
      'not_found',
      "The document doesn't contain this component. Check its package URL, or its name and group.",
    );
  if (found.status !== 'found' || report === null)
    return without('no_version', 'The document has no valid version of this component.');
  try {
    const { deployment, is_repeat, alert_config, not_compared } = await store(report);
    return {
      name,
      status: 'recorded',
      message: null,
      version: found.version,
      choice: found.choice,
      other_versions: found.otherVersions,
      deployment,
      is_repeat,
      alert_config,
      not_compared,
    };
  } catch (error) {
    if (!(error instanceof ApiError) || error.code === 'unavailable') throw error;
    return without('failed', error.message);
  }
}
