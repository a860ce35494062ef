import { z } from 'zod';
import { parseBoundedJson } from '../../../../domain/json/bounded-json.ts';
import { cleanLine } from '../../../../domain/templates/clean-text.ts';

/**
 * Parses the JSON responses of trackers. Pacekeeper doesn't control them, so every field might be missing or have any
 * type. A field of an unexpected type is treated as missing. The functions return small plain data, because large
 * responses are parsed in the sandbox.
 */

export interface TrackerIssue {
  number: number;
  /** Display form that GitLab sends, such as `acme/tools/platform#12`. */
  reference: string | null;
  url: string | null;
  isOpen: boolean;
  /** GitLab only: ID of the issue that continues this one in another project. */
  movedToId: number | null;
}

export interface IssuePage {
  /** Number of issues on the page, including those without the marker. */
  count: number;
  /** True if the last issue was created before `fromMs`. */
  isPast: boolean;
  /** Issues with the marker that were created at `fromMs` or later. */
  found: TrackerIssue[];
}

/** The marker that tickets contain, and the earliest creation time of issues to find. */
export interface IssueQuery {
  marker: string;
  fromMs: number;
}

/** A GitLab issue and its location. The issue can have been moved to another project. */
export interface LocatedIssue {
  id: number;
  projectId: number;
  number: number;
  isOpen: boolean;
  movedToId: number | null;
}

export interface TrackerProject {
  name: string | null;
  hasIssues: boolean;
  isArchived: boolean;
}

export interface JiraStatus {
  name: string | null;
  isDone: boolean;
}

export interface JiraIssue {
  key: string;
  isDone: boolean;
}

/** A transition to a status of the category Done, and the resolution that it requires. */
export interface JiraTransition {
  id: string;
  resolution: string | null;
}

/** Results of parsing responses, by name. The result for an invalid response is `null`. */
interface Answers {
  github_repository: TrackerProject;
  github_issue: TrackerIssue;
  github_issues: IssuePage;
  github_problem: string;
  gitlab_project: TrackerProject;
  gitlab_issue: TrackerIssue;
  gitlab_issues: IssuePage;
  gitlab_moved_issues: LocatedIssue[];
  gitlab_problem: string;
  jira_issue_types: string[];
  jira_permissions: string[];
  jira_status: JiraStatus;
  jira_key: string;
  jira_issues: JiraIssue[];
  jira_transition: JiraTransition | 'none';
  jira_problem: string;
}

export type TrackerResponseName = keyof Answers;
export type TrackerResponseBody<Name extends TrackerResponseName> = Answers[Name];

export interface TrackerResponseInput {
  name: TrackerResponseName;
  query: IssueQuery | null;
  text: string;
}

/** Limits for the largest responses: a page of 50 issues, and a Jira project with thousands of versions. */
const limits = { values: 100_000, members: 20_000, depth: 100 };

/** Parses the response with this name. Returns `null` if the response isn't valid. */
export function readTrackerResponse({ name, query, text }: TrackerResponseInput): unknown {
  const parsed = parseBoundedJson(text, limits);
  return parsed.ok ? readers[name](parsed.value, query ?? { marker: '', fromMs: Number.NaN }) : null;
}

type Readers = { [Name in TrackerResponseName]: (json: unknown, query: IssueQuery) => Answers[Name] | null };

const readers: Readers = {
  github_repository: (json) => {
    const found = read(githubRepository, json);
    return (
      found && {
        name: found.full_name,
        hasIssues: found.has_issues !== false,
        isArchived: found.archived === true,
      }
    );
  },
  github_issue: (json) => githubIssueOf(json),
  github_issues: (json, { marker, fromMs }) =>
    pageOf(json, githubListed, fromMs, (issue) =>
      issue.pull_request === undefined && hasMarker(issue.body, marker)
        ? (githubIssueOf(issue) ?? 'invalid')
        : null,
    ),
  github_problem: (json) => {
    const found = read(githubProblem, json);
    if (!found || found.message === null) return null;
    const details = found.errors.map(({ field, code, message }) => message ?? `${field}: ${code}`);
    return `GitHub: ${[found.message, ...details].join('; ')}`;
  },
  gitlab_project: (json) => {
    const found = read(gitlabProject, json);
    return (
      found && {
        name: found.path_with_namespace,
        hasIssues: found.issues_enabled !== false && found.issues_access_level !== 'disabled',
        isArchived: found.archived === true,
      }
    );
  },
  gitlab_issue: (json) => gitlabIssueOf(json),
  gitlab_issues: (json, { marker }) =>
    // GitLab already excludes issues that were created earlier, so no time is checked here.
    pageOf(json, gitlabListed, Number.NaN, (issue) =>
      hasMarker(issue.description, marker) ? (gitlabIssueOf(issue) ?? 'invalid') : null,
    ),
  gitlab_moved_issues: (json) =>
    listOf(json)?.flatMap((issue): LocatedIssue[] => {
      const found = read(gitlabLocated, issue);
      if (!found) return [];
      const { id, iid, project_id, state, moved_to_id } = found;
      return [{ id, projectId: project_id, number: iid, isOpen: state !== 'closed', movedToId: moved_to_id }];
    }) ?? null,
  gitlab_problem: (json) => {
    const found = read(gitlabProblem, json);
    if (!found) return null;
    const details =
      found.fields === null
        ? [found.message, found.error_description ?? found.error].filter((text) => text !== null)
        : Object.entries(found.fields)
            .slice(0, maxProblems)
            .map(([field, problems]) => `${field} ${textsOf(problems).join(', ')}`);
    return details.length === 0 ? null : `GitLab: ${details.join('; ')}`;
  },
  jira_issue_types: (json) => {
    const found = read(jiraProject, json);
    return (
      found &&
      found.issueTypes.flatMap(({ name, subtask }) => (name === null || subtask === true ? [] : [name]))
    );
  },
  jira_permissions: (json) => {
    const found = read(jiraPermissions, json);
    return (
      found &&
      Object.entries(found.permissions).flatMap(([name, permission]) =>
        read(jiraPermission, permission)?.havePermission === true ? [name] : [],
      )
    );
  },
  jira_status: (json) => jiraStatusOf(json),
  jira_key: (json) => read(jiraKey, json)?.key ?? null,
  jira_issues: (json) => {
    const issues: JiraIssue[] = [];
    for (const issue of read(jiraSearch, json)?.issues.slice(0, maxFoundIssues) ?? [null]) {
      const key = read(jiraKey, issue)?.key;
      if (key === undefined) return null;
      issues.push({ key, isDone: jiraStatusOf(issue)?.isDone ?? false });
    }
    return issues;
  },
  jira_transition: (json) => {
    const found = read(jiraTransitions, json);
    return found && (found.transitions.map(closingTransitionOf).find((one) => one !== null) ?? 'none');
  },
  jira_problem: (json) => {
    const found = read(jiraProblem, json);
    if (!found) return null;
    const fields = Object.entries(found.errors)
      .slice(0, maxProblems)
      .map(([field, problem]) => `${field}: ${textsOf(problem).join(', ')}`);
    const details = [...textsOf(found.errorMessages), ...fields];
    return details.length === 0 ? null : `Jira: ${details.join('; ')}`;
  },
};

/** Maximum number of listed errors. Only the start of the sentence is shown. */
const maxProblems = 20;
/** Maximum number of issues that a search returns. */
export const maxFoundIssues = 50;

/** Wraps a marker in an HTML comment, which trackers don't display. */
export function hiddenMarker(marker: string): string {
  return `<!-- pacekeeper:${marker} -->`;
}

function hasMarker(body: string | null, marker: string): boolean {
  return body?.includes(hiddenMarker(marker)) ?? false;
}

const anything = z.unknown().optional();
/** A text field. `null` if the field is missing or has another type. */
const text = z.string().nullable().catch(null);
const flag = z.boolean().nullable().catch(null);
const id = z.int().positive();
const list = z.array(z.unknown()).catch([]);
const fields = z.record(z.string(), z.unknown());
/** Text of an error: trackers send strings, and sometimes numbers. */
const problemText = z.union([z.string(), z.number().transform(String)]).catch('');

const githubRepository = z.object({ full_name: text, has_issues: flag, archived: flag });
const githubIssue = z.object({ number: id, html_url: text, state: text });
const githubListed = z.object({
  number: anything,
  html_url: text,
  state: text,
  created_at: text,
  body: text,
  pull_request: anything,
});
const githubProblem = z.object({
  message: text,
  errors: list.transform((errors) =>
    errors
      .slice(0, maxProblems)
      .flatMap(
        (error) => read(z.object({ field: problemText, code: problemText, message: text }), error) ?? [],
      ),
  ),
});
const gitlabProject = z.object({
  path_with_namespace: text,
  issues_enabled: flag,
  issues_access_level: text,
  archived: flag,
});
const movedTo = z.number().nullable().catch(null);
const gitlabIssue = z.object({
  iid: id,
  web_url: text,
  state: text,
  references: z.object({ full: text }).nullable().catch(null),
  moved_to_id: movedTo,
});
const gitlabListed = gitlabIssue.extend({ iid: anything, created_at: text, description: text });
const gitlabLocated = z.object({ id, iid: id, project_id: id, state: text, moved_to_id: movedTo });
const gitlabProblem = z
  .object({ message: anything, error: text, error_description: text })
  .transform(({ message, ...rest }) => ({
    ...rest,
    message: typeof message === 'string' ? message : null,
    fields: read(fields, message),
  }));
const jiraProject = z.object({
  issueTypes: list.transform((types) =>
    types.flatMap((type) => read(z.object({ name: text, subtask: flag }), type) ?? []),
  ),
});
const jiraPermissions = z.object({ permissions: fields });
const jiraPermission = z.object({ havePermission: flag });
/** Keys are validated because they're stored and used in URLs. */
const jiraKey = z.object({ key: z.string().regex(/^[A-Za-z][A-Za-z0-9_]{0,99}-[0-9]{1,18}$/) });
const jiraStatus = z.object({
  name: text,
  statusCategory: z.object({ key: text }).nullable().catch(null),
});
const jiraIssue = z.object({
  fields: z
    .object({ status: jiraStatus.nullable().catch(null) })
    .nullable()
    .catch(null),
});
const jiraSearch = z.object({ issues: z.array(z.unknown()) });
const jiraTransitions = z.object({ transitions: list });
const jiraTransition = z.object({
  id: z.union([z.string(), z.number().transform(String)]),
  to: jiraStatus.nullable().catch(null),
  fields: fields.catch({}),
});
const jiraField = z.object({ required: flag, hasDefaultValue: flag, allowedValues: list });
const jiraProblem = z.object({ errorMessages: anything, errors: fields.catch({}) });

/** Parses a value with a schema. Returns `null` if the value doesn't match the schema. */
function read<Output>(schema: z.ZodType<Output>, value: unknown): Output | null {
  const { success, data } = schema.safeParse(value);
  return success ? data : null;
}

function listOf(value: unknown): unknown[] | null {
  return Array.isArray(value) ? value : null;
}

/** Returns the strings and numbers in a value, which can be a list. */
function textsOf(value: unknown): string[] {
  return (listOf(value) ?? [value])
    .slice(0, maxProblems)
    .map((each) => problemText.parse(each))
    .filter((each) => each !== '');
}

/**
 * Reads a page of issues.
 *
 * @returns `null` if it isn't a list, or if an issue with the marker is invalid.
 */
function pageOf<Listed extends { created_at: string | null }>(
  json: unknown,
  schema: z.ZodType<Listed>,
  fromMs: number,
  select: (issue: Listed) => TrackerIssue | null | 'invalid',
): IssuePage | null {
  const issues = listOf(json);
  if (issues === null) return null;
  const found: TrackerIssue[] = [];
  let isPast = false;
  for (const each of issues) {
    const issue = read(schema, each);
    // Anyone who can read the marker can add it to an older issue, which would then appear to be the first
    // ticket.
    isPast = issue !== null && Date.parse(issue.created_at ?? '') < fromMs;
    if (issue === null || isPast) continue;
    const selected = select(issue);
    if (selected === 'invalid') return null;
    if (selected !== null) found.push(selected);
  }
  return { count: issues.length, isPast, found };
}

function githubIssueOf(json: unknown): TrackerIssue | null {
  const found = read(githubIssue, json);
  return (
    found && {
      number: found.number,
      reference: null,
      url: found.html_url,
      isOpen: found.state !== 'closed',
      movedToId: null,
    }
  );
}

function gitlabIssueOf(json: unknown): TrackerIssue | null {
  const found = read(gitlabIssue, json);
  const reference = found?.references?.full;
  return (
    found && {
      number: found.iid,
      reference: reference == null ? null : cleanLine(reference),
      url: found.web_url,
      isOpen: found.state !== 'closed',
      movedToId: found.moved_to_id,
    }
  );
}

function jiraStatusOf(json: unknown): JiraStatus | null {
  const found = read(jiraIssue, json);
  if (!found) return null;
  const status = found.fields?.status ?? null;
  return { name: status?.name ?? null, isDone: isDone(status) };
}

function isDone(status: z.infer<typeof jiraStatus> | null): boolean {
  return status?.statusCategory?.key === 'done';
}

/** Returns the transition if it leads to a done status and requires no field except a resolution. */
function closingTransitionOf(json: unknown): JiraTransition | null {
  const found = read(jiraTransition, json);
  if (!found || !isDone(found.to)) return null;
  const required = Object.entries(found.fields).flatMap(([name, value]) => {
    const field = read(jiraField, value);
    return field?.required === true && field.hasDefaultValue !== true ? [{ name, field }] : [];
  });
  if (required.some(({ name }) => name !== 'resolution')) return null;
  const [resolution] = required;
  if (resolution === undefined) return { id: found.id, resolution: null };
  const name = resolutionOf(resolution.field.allowedValues);
  return name === null ? null : { id: found.id, resolution: name };
}

function resolutionOf(allowed: readonly unknown[]): string | null {
  const names = allowed.flatMap((value) => read(z.object({ name: z.string() }), value)?.name ?? []);
  return names.find((name) => name === 'Done' || name === 'Fixed') ?? names[0] ?? null;
}
