import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An issue, with the fields of all supported trackers. */
export interface FakeIssue {
  number: number;
  title: string;
  body: string;
  labels: string[];
  /** State of the issue: `open` or `closed`. */
  state: string;
  createdAt: Date;
  isPullRequest?: boolean;
  /** True if the issue was deleted, or moved to a project that the token can't access. */
  isGone?: boolean;
  /** GitHub only: the repository that the issue was transferred to. */
  movedTo?: string;
  /** GitLab only: number of the issue that continues this one in another project. */
  continuedBy?: number;
  /**
   * GitLab only: true if the issue is in the project with ID 8, whose issues the token might not be able to
   * change.
   */
  isInOtherProject?: boolean;
}

export interface TrackerCall {
  method: string;
  path: string;
  headers: IncomingMessage['headers'];
  json: Record<string, unknown>;
}

interface Reply {
  status: number;
  json?: unknown;
  headers?: Record<string, string>;
}

export const trackerToken = 'github_pat_11AAAAAAA0tokenOfTests';

/**
 * Starts a server that acts as GitHub, GitLab, and Jira on one port, with responses in their documented
 * formats. All projects of a tracker share its issues.
 */
export async function createFakeTrackers() {
  const issues: FakeIssue[] = [];
  const calls: TrackerCall[] = [];
  const state = {
    /** Returns a reply that replaces the usual one, `silence` for no reply, or null for the usual reply. */
    onCall: null as ((call: TrackerCall) => Reply | 'silence' | null) | null,
    hasIssues: true,
    /** Offset of the tracker's clock from the real time, in milliseconds. */
    clockOffsetMs: 0,
    /** Transitions that Jira offers, each with its name and the status category that it leads to. */
    transitions: [
      { name: 'Start', category: 'indeterminate' },
      { name: 'Done', category: 'done' },
    ] as { name: string; category: string; required?: string[] }[],
    /** True if the server stores newly created issues but never replies to the requests that create them. */
    losesReplies: false,
  };

  const server = createServer((request, response) => {
    void (async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const text = Buffer.concat(chunks).toString();
      const call: TrackerCall = {
        method: request.method!,
        path: request.url!,
        headers: request.headers,
        json: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>),
      };
      calls.push(call);
      const special = state.onCall?.(call) ?? null;
      if (special === 'silence') return;
      const count = issues.length;
      const { status, json, headers = {} } = special ?? answer(call);
      if (state.losesReplies && issues.length > count) return;
      response.writeHead(status, { 'content-type': 'application/json', ...headers });
      response.end(json === undefined ? '' : JSON.stringify(json));
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  function add(issue: Pick<FakeIssue, 'title' | 'body' | 'labels'> & Partial<FakeIssue>): FakeIssue {
    const added = {
      number: issues.length + 1,
      state: 'open',
      createdAt: new Date(Date.now() + state.clockOffsetMs),
      ...issue,
    };
    issues.push(added);
    return added;
  }

  function answer(call: TrackerCall): Reply {
    const { pathname, searchParams } = new URL(call.path, url);
    if (pathname.startsWith('/repos/') || pathname.startsWith('/repositories/'))
      return github(call, pathname, searchParams);
    if (pathname.startsWith('/api/v4/')) return gitlab(call, pathname, searchParams);
    if (pathname.startsWith('/rest/api/2/')) return jira(call, pathname);
    return { status: 404, json: { message: 'Not Found' } };
  }

  function github(call: TrackerCall, pathname: string, query: URLSearchParams): Reply {
    if (call.headers.authorization !== `Bearer ${trackerToken}`)
      return {
        status: 401,
        json: {
          message: 'Bad credentials',
          documentation_url: 'https://docs.github.com/rest',
          status: '401',
        },
      };
    const notFound = { status: 404, json: { message: 'Not Found', status: '404' } };
    const [, , owner, name, , number] = pathname.split('/');
    const moved = pathname.startsWith('/repositories/');
    if (!moved && `${owner}/${name}` !== 'acme/platform') return notFound;
    const show = (issue: FakeIssue) => ({
      id: 1_000 + issue.number,
      number: issue.number,
      title: issue.title,
      body: issue.body,
      state: issue.state,
      labels: issue.labels.map((label) => ({ name: label })),
      user: { login: 'pacekeeper-bot' },
      created_at: issue.createdAt.toISOString(),
      html_url: `https://github.com/${issue.movedTo ?? 'acme/platform'}/issues/${issue.number}`,
      ...(issue.isPullRequest && { pull_request: { url: `${url}/pulls/${issue.number}` } }),
    });
    if (number === undefined && !pathname.includes('/issues'))
      return {
        status: 200,
        json: { full_name: 'acme/platform', has_issues: state.hasIssues, archived: false },
      };
    if (call.method === 'POST') {
      if (!state.hasIssues)
        return { status: 410, json: { message: 'Issues are disabled for this repo', status: '410' } };
      const { title, body, labels } = call.json as { title: string; body: string; labels: string[] };
      return { status: 201, json: show(add({ title, body, labels })) };
    }
    if (number === undefined) {
      const [page, size] = [Number(query.get('page') ?? 1), Number(query.get('per_page') ?? 30)];
      const all = issues
        .filter(({ isGone }) => !isGone)
        .toSorted((a, b) => b.createdAt.getTime() - a.createdAt.getTime() || b.number - a.number)
        .filter((issue) => query.get('state') === 'all' || issue.state === 'open');
      return { status: 200, json: all.slice((page - 1) * size, page * size).map(show) };
    }
    const issue = issues.find((each) => each.number === Number(number));
    if (issue === undefined) return notFound;
    if (issue.isGone) return { status: 410, json: { message: 'This issue was deleted', status: '410' } };
    if (issue.movedTo !== undefined && !moved)
      return {
        status: 301,
        headers: { location: `${url}/repositories/7/x/issues/${number}` },
        json: { message: 'Moved Permanently', url: `${url}/repositories/7/x/issues/${number}` },
      };
    if (call.method === 'PATCH') issue.state = String(call.json['state']);
    return { status: 200, json: show(issue) };
  }

  function gitlab(call: TrackerCall, pathname: string, query: URLSearchParams): Reply {
    if (call.headers['private-token'] !== trackerToken)
      return { status: 401, json: { message: '401 Unauthorized' } };
    const [, , , , project, , number] = pathname.split('/');
    if (pathname !== '/api/v4/issues' && !['acme/tools/platform', '8'].includes(decodeURIComponent(project!)))
      return { status: 404, json: { message: '404 Project Not Found' } };
    const show = (issue: FakeIssue) => ({
      id: 1_000 + issue.number,
      iid: issue.number,
      project_id: issue.isInOtherProject ? 8 : 7,
      title: issue.title,
      description: issue.body,
      state: issue.state === 'open' ? 'opened' : 'closed',
      labels: issue.labels,
      created_at: issue.createdAt.toISOString(),
      web_url: `https://gitlab.com/acme/tools/platform/-/issues/${issue.number}`,
      references: { short: `#${issue.number}`, full: `acme/tools/platform#${issue.number}` },
      moved_to_id: issue.continuedBy === undefined ? null : 1_000 + issue.continuedBy,
    });
    if (pathname === '/api/v4/issues') {
      const found = issues.filter(({ body, isGone }) => !isGone && body.includes(query.get('search')!));
      return { status: 200, json: found.map(show) };
    }
    if (!pathname.includes('/issues'))
      return {
        status: 200,
        json: {
          id: 7,
          path_with_namespace: 'acme/tools/platform',
          issues_enabled: state.hasIssues,
          archived: false,
        },
      };
    if (call.method === 'POST') {
      const { title, description, labels } = call.json as Record<string, string | undefined>;
      const given = { title: title!, body: description!, labels: labels?.split(',') ?? [] };
      return { status: 201, json: show(add(given)) };
    }
    if (number === undefined) {
      const [page, size] = [Number(query.get('page') ?? 1), Number(query.get('per_page') ?? 20)];
      const from = Date.parse(query.get('created_after')!);
      const all = issues.filter(({ createdAt, isGone }) => !isGone && createdAt.getTime() >= from);
      return { status: 200, json: all.slice((page - 1) * size, page * size).map(show) };
    }
    const issue = issues.find((each) => each.number === Number(number));
    if (issue === undefined || issue.isGone) return { status: 404, json: { message: '404 Not found' } };
    if (call.method === 'PUT' && call.json['state_event'] === 'close') issue.state = 'closed';
    return { status: 200, json: show(issue) };
  }

  function jira(call: TrackerCall, pathname: string): Reply {
    const basic = `Basic ${Buffer.from(`bot@acme.example:${trackerToken}`).toString('base64')}`;
    const isCloud = call.headers.authorization === basic;
    if (!isCloud && call.headers.authorization !== `Bearer ${trackerToken}`)
      return {
        status: 401,
        json: { errorMessages: ['Client must be authenticated to access this resource.'], errors: {} },
      };
    const path = pathname.slice('/rest/api/2'.length);
    const category = (issue: FakeIssue) => (issue.state === 'open' ? 'new' : 'done');
    const show = (issue: FakeIssue) => ({
      id: String(10_000 + issue.number),
      key: `OPS-${issue.number}`,
      fields: {
        status: { name: issue.state === 'open' ? 'To Do' : 'Done', statusCategory: { key: category(issue) } },
      },
    });
    if (path === '/project/OPS')
      return {
        status: 200,
        json: {
          key: 'OPS',
          issueTypes: [
            { name: 'Task', subtask: false },
            { name: 'Bug', subtask: false },
          ],
        },
      };
    if (path === '/mypermissions') {
      const names = ['BROWSE_PROJECTS', 'CREATE_ISSUES', 'TRANSITION_ISSUES'];
      const permissions = Object.fromEntries(
        names.map((name) => [name, { key: name, havePermission: true }]),
      );
      return { status: 200, json: { permissions } };
    }
    // Jira Cloud has removed the old search endpoint, and Jira Data Center doesn't have the new one.
    if (path === (isCloud ? '/search/jql' : '/search') && call.method === 'POST') {
      const [, label] =
        /^project = "OPS" AND labels = "(pacekeeper-[0-9a-f]{32})" ORDER BY created ASC$/.exec(
          String(call.json['jql']),
        ) ?? [];
      return {
        status: 200,
        json: { issues: issues.filter(({ labels }) => labels.includes(label!)).map(show) },
      };
    }
    if (path === '/issue' && call.method === 'POST') {
      const { summary, description, labels, issuetype } = call.json['fields'] as {
        summary: string;
        description: string;
        labels: string[];
        issuetype: { name: string };
      };
      if (issuetype.name === 'Bug')
        return {
          status: 400,
          json: { errorMessages: [], errors: { customfield_10001: 'Severity is required.' } },
        };
      const issue = add({ title: summary, body: description, labels });
      return {
        status: 201,
        json: { id: String(10_000 + issue.number), key: `OPS-${issue.number}`, self: `${url}/x` },
      };
    }
    const [, number, rest] = /^\/issue\/OPS-(\d+)(\/transitions)?$/.exec(path) ?? [];
    const issue = issues.find((each) => each.number === Number(number));
    if (issue === undefined || issue.isGone)
      return {
        status: 404,
        json: {
          errorMessages: ['Issue does not exist or you do not have permission to see it.'],
          errors: {},
        },
      };
    if (rest === undefined) return { status: 200, json: show(issue) };
    if (call.method === 'GET')
      return {
        status: 200,
        json: {
          transitions: state.transitions.map(({ name, category: key, required = [] }, index) => ({
            id: String(index + 11),
            name,
            to: { name, statusCategory: { key } },
            fields: Object.fromEntries(
              required.map((field) => [
                field,
                {
                  required: true,
                  hasDefaultValue: false,
                  allowedValues: [{ name: "Won't do" }, { name: 'Done' }],
                },
              ]),
            ),
          })),
        },
      };
    const { id } = call.json['transition'] as { id: string };
    const transition = state.transitions[Number(id) - 11]!;
    if (transition.required?.includes('resolution') && call.json['fields'] === undefined)
      return { status: 400, json: { errorMessages: [], errors: { resolution: 'Resolution is required.' } } };
    if (transition.category === 'done') issue.state = 'closed';
    return { status: 204 };
  }

  return {
    url,
    issues,
    calls,
    state,
    add,
    reset() {
      issues.length = 0;
      calls.length = 0;
      Object.assign(state, { onCall: null, hasIssues: true, losesReplies: false });
      state.transitions = [
        { name: 'Start', category: 'indeterminate' },
        { name: 'Done', category: 'done' },
      ];
    },
    async close() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
