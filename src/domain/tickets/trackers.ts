import { withoutTrailing } from '../text/trailing.ts';

/** Types of channels that create tickets. */
export const trackerTypes = ['github_issues', 'gitlab_issues', 'jira'] as const;

export type TrackerType = (typeof trackerTypes)[number];

/**
 * Error message that explains why a channel that creates tickets can't be the default channel, and suggests an
 * alternative.
 */
export const noDefaultTracker =
  "can't be a channel that creates tickets: the default channel also receives events about Pacekeeper itself, such as offline agents. To create tickets for all alerts, add a notification rule without conditions";

export function isTracker(type: string): type is TrackerType {
  return trackerTypes.some((each) => each === type);
}

export interface TrackerTexts {
  label: string;
  about: string;
  /** Instructions for creating the token. */
  steps: readonly string[];
  urlLabel: string;
  /** Default URL. `null` if each customer has a different one. */
  urlDefault: string | null;
  urlExample: string;
  projectLabel: string;
  projectExample: string;
  /** Name that the platform uses for tickets. */
  tickets: string;
}

export const trackers: Readonly<Record<TrackerType, TrackerTexts>> = {
  github_issues: {
    label: 'GitHub issues',
    about: 'Creates an issue for each alert, and closes it when the alert is resolved.',
    steps: [
      'In GitHub, open Settings > Developer settings > Personal access tokens > Fine-grained tokens.',
      'Create a token for the repository, with the permission Issues: Read and write.',
      'Paste the token below.',
    ],
    urlLabel: 'API URL',
    urlDefault: 'https://api.github.com',
    urlExample: 'https://github.example.com/api/v3',
    projectLabel: 'Repository',
    projectExample: 'acme/platform',
    tickets: 'issues',
  },
  gitlab_issues: {
    label: 'GitLab issues',
    about: 'Creates an issue for each alert, and closes it when the alert is resolved.',
    steps: [
      'In the GitLab project, open Settings > Access tokens.',
      'Create a token with the role Planner or higher (before GitLab 17.7: Reporter) and the scope api.',
      'Paste the token below.',
    ],
    urlLabel: 'GitLab URL',
    urlDefault: 'https://gitlab.com',
    urlExample: 'https://gitlab.example.com',
    projectLabel: 'Project path or ID',
    projectExample: 'acme/platform',
    tickets: 'issues',
  },
  jira: {
    label: 'Jira',
    about: 'Creates a work item for each alert, and moves it to a done status when the alert is resolved.',
    steps: [
      'Jira Cloud: create an API token at id.atlassian.com > Security, and enter the email address of its account.',
      'Jira Data Center: create a personal access token in your profile, and leave the email address empty.',
      'The account needs permission to browse the project and to create and transition its work items.',
    ],
    urlLabel: 'Site URL',
    urlDefault: null,
    urlExample: 'https://acme.atlassian.net',
    projectLabel: 'Project key',
    projectExample: 'OPS',
    tickets: 'work items',
  },
};

export type ProjectResult = { ok: true; project: string } | { ok: false; message: string };

/** Converts a pasted path or URL to the form in which a project is stored. */
export function normalizeProject(type: TrackerType, text: string): ProjectResult {
  const given = text.trim();
  if (type === 'jira') {
    return /^[A-Za-z][A-Za-z0-9_]{1,79}$/.test(given)
      ? { ok: true, project: given.toUpperCase() }
      : { ok: false, message: 'must be the key of a Jira project, such as OPS' };
  }
  const path = withoutTrailing(given.replace(/^https?:\/\/[^/]+\//i, ''), '/').replace(/\.git$/, '');
  const segments = path.split('/');
  // Names such as `.github` can start with a dot, but `.` and `..` aren't valid names.
  const isPath = segments.every((segment) => /^(?!\.{1,2}$)[A-Za-z0-9_.][A-Za-z0-9_.-]*$/.test(segment));
  if (type === 'github_issues') {
    return isPath && segments.length === 2
      ? { ok: true, project: path }
      : { ok: false, message: 'must be a repository, such as acme/platform' };
  }
  return (isPath && segments.length > 1) || /^[1-9][0-9]{0,17}$/.test(path)
    ? { ok: true, project: path }
    : { ok: false, message: 'must be the path or ID of a GitLab project, such as acme/platform' };
}

/** Converts the URL of a tracker to the form in which it is stored. */
export function normalizeTrackerUrl(type: TrackerType, url: string): string {
  const trimmed = withoutTrailing(url.trim(), '/');
  return type === 'gitlab_issues' ? trimmed.replace(/\/api\/v4$/, '') : trimmed;
}
