import { isItem } from '../../../../domain/json/json-item.ts';
import { safeUrl } from '../../../../domain/templates/clean-text.ts';
import {
  errorOf,
  invalid,
  type SendRequest,
  type Tracker,
  TrackerError,
  type TrackerResponse,
  type TrackerTarget,
  type TrackerTicket,
} from './tracker.ts';

/**
 * Returns authentication headers. Jira Cloud uses accounts with API tokens, and Data Center uses personal
 * access tokens.
 */
export function jiraHeaders({ token, accountEmail }: TrackerTarget): Record<string, string> {
  return {
    authorization:
      accountEmail === null
        ? `Bearer ${token}`
        : `Basic ${Buffer.from(`${accountEmail}:${token}`).toString('base64')}`,
  };
}

const maxFound = 50;

/**
 * Creates a tracker for Jira Cloud and Data Center. Both support API version 2 with texts in wiki markup.
 * Sources: https://developer.atlassian.com/cloud/jira/platform/rest/v2/ and
 * https://developer.atlassian.com/server/jira/platform/rest/.
 */
export function jira(target: TrackerTarget, send: SendRequest, now: Date): Tracker {
  const { url, project, issueType, accountEmail } = target;
  const api = `${url}/rest/api/2`;
  const searchUrl = accountEmail === null ? `${api}/search` : `${api}/search/jql`;
  const fail = (response: TrackerResponse) => errorOf(response, detailOf(response), now);

  async function check(): Promise<string> {
    const response = await send({ url: `${api}/project/${project}` });
    if (response.status !== 200) throw fail(response);
    if (!isItem(response.json)) throw invalid(response);
    const types = (Array.isArray(response.json['issueTypes']) ? response.json['issueTypes'] : []).flatMap(
      (type) => (isItem(type) && type['subtask'] !== true ? [String(type['name'])] : []),
    );
    const { status, text: body } = response;
    if (types.length > 0 && !types.some((name) => name.toLowerCase() === issueType?.toLowerCase()))
      throw new TrackerError(
        'ticket_rejected',
        `The project has no issue type ${issueType}, only ${types.join(', ')}`,
        { status, body },
      );
    const missing = await missingPermissions();
    if (missing.length > 0) throw new TrackerError('ticket_forbidden', `It lacks ${missing.join(', ')}`);
    return `The token can create and transition issues in ${project}. No issue was created.`;
  }

  async function missingPermissions(): Promise<string[]> {
    const wanted = ['BROWSE_PROJECTS', 'CREATE_ISSUES', 'TRANSITION_ISSUES'];
    const query = `projectKey=${project}&permissions=${wanted.join(',')}`;
    const response = await send({ url: `${api}/mypermissions?${query}` });
    if (response.status !== 200) throw fail(response);
    const all = isItem(response.json) ? response.json['permissions'] : null;
    if (!isItem(all)) throw invalid(response);
    return wanted.filter((name) => !isItem(all[name]) || all[name]['havePermission'] !== true);
  }

  const toTicket = (key: string, isOpen: boolean): TrackerTicket => ({
    id: key,
    key,
    url: safeUrl(`${url}/browse/${key}`) ?? url,
    isOpen,
  });

  return {
    check,

    async find(marker) {
      // Search only the channel's project, because anyone who can read the marker can add it to an issue in
      // any project.
      const jql = `project = "${project}" AND labels = "${markerLabel(marker)}" ORDER BY created ASC`;
      const json = { jql, fields: ['status'], maxResults: maxFound };
      const response = await send({ method: 'POST', url: searchUrl, json });
      // Jira rejects a search in an unknown project, which `check` reports with a clear error.
      if (response.status === 400) await check();
      if (response.status !== 200) throw fail(response);
      const issues = isItem(response.json) ? response.json['issues'] : null;
      if (!Array.isArray(issues)) throw invalid(response);
      return issues.map((issue) => {
        if (!isItem(issue) || !isKey(issue['key'])) throw invalid(response);
        return toTicket(issue['key'], !isDone(statusOf(issue)));
      });
    },

    async create({ title, body, labels, marker }) {
      const fields = {
        project: { key: project },
        issuetype: { name: issueType },
        summary: title,
        description: body,
        labels: [...labels, markerLabel(marker)],
      };
      const response = await send({ method: 'POST', url: `${api}/issue`, json: { fields } });
      if (response.status !== 201) throw fail(response);
      if (!isItem(response.json) || !isKey(response.json['key'])) throw invalid(response);
      return toTicket(response.json['key'], true);
    },

    async close(id) {
      const issueUrl = `${api}/issue/${id}`;
      const issue = await send({ url: `${issueUrl}?fields=status` });
      if (issue.status === 404) {
        await check();
        return 'missing';
      }
      if (issue.status !== 200) throw fail(issue);
      const status = isItem(issue.json) ? statusOf(issue.json) : null;
      if (isDone(status)) return 'closed';
      const offered = await send({ url: `${issueUrl}/transitions?expand=transitions.fields` });
      if (offered.status !== 200) throw fail(offered);
      const transition = closingTransition(offered.json);
      if (transition === null) {
        const from = isItem(status) ? ` from "${String(status['name'])}"` : '';
        const detail = `Jira offers no transition${from} to a status of the category Done that requires no more than a resolution.`;
        throw new TrackerError('ticket_not_closed', detail, { status: offered.status, body: offered.text });
      }
      const response = await send({ method: 'POST', url: `${issueUrl}/transitions`, json: transition });
      if (response.status === 400)
        throw new TrackerError('ticket_not_closed', detailOf(response), { status: 400, body: response.text });
      if (response.status !== 204) throw fail(response);
      return 'closed';
    },
  };
}

/** Returns the marker as a label, because Jira has no hidden field that can be searched. */
function markerLabel(marker: string): string {
  return `pacekeeper-${marker}`;
}

/** True for a valid issue key. Keys are validated because they're stored and used in URLs. */
function isKey(key: unknown): key is string {
  return typeof key === 'string' && /^[A-Za-z][A-Za-z0-9_]{0,99}-[0-9]{1,18}$/.test(key);
}

function statusOf({ fields }: Record<string, unknown>): unknown {
  return isItem(fields) ? fields['status'] : null;
}

function isDone(status: unknown): boolean {
  return isItem(status) && isItem(status['statusCategory']) && status['statusCategory']['key'] === 'done';
}

/** Returns the first transition to a done status that requires no field except a resolution. */
function closingTransition(json: unknown): object | null {
  const transitions = isItem(json) && Array.isArray(json['transitions']) ? json['transitions'] : [];
  for (const transition of transitions) {
    if (!isItem(transition) || !isDone(transition['to'])) continue;
    const fields = isItem(transition['fields']) ? transition['fields'] : {};
    const required = Object.entries(fields).filter(
      ([, field]) => isItem(field) && field['required'] === true && field['hasDefaultValue'] !== true,
    );
    if (required.some(([name]) => name !== 'resolution')) continue;
    const resolution = required.length === 0 ? undefined : resolutionOf(fields['resolution']);
    if (required.length > 0 && resolution === undefined) continue;
    return {
      transition: { id: String(transition['id']) },
      ...(resolution !== undefined && { fields: { resolution: { name: resolution } } }),
    };
  }
  return null;
}

function resolutionOf(field: unknown): string | undefined {
  const allowed = isItem(field) && Array.isArray(field['allowedValues']) ? field['allowedValues'] : [];
  const names = allowed.flatMap((value) => (isItem(value) ? [String(value['name'])] : []));
  return names.find((name) => name === 'Done' || name === 'Fixed') ?? names[0];
}

/**
 * Extracts the error text of a response such as `{"errorMessages": ["…"], "errors": {"customfield_10001":
 * "Team is required."}}`.
 */
function detailOf({ json }: TrackerResponse): string | null {
  if (!isItem(json)) return null;
  const messages = Array.isArray(json['errorMessages']) ? json['errorMessages'].map(String) : [];
  const errors = isItem(json['errors']) ? Object.entries(json['errors']) : [];
  const details = [...messages, ...errors.map(([field, problem]) => `${field}: ${String(problem)}`)];
  return details.length === 0 ? null : `Jira: ${details.join('; ')}`;
}
