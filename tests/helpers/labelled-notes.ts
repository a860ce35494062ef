/**
 * Release notes written for this test in the formats that projects use. `!!` marks a line with a breaking
 * change and isn't part of the note. The labels were set manually, independently of the code under test.
 */
const text = String.raw`
## Breaking changes
!!- The flag --legacy-auth is removed
!!- Configuration files must be YAML
## Fixes
- Fixed a crash at start
=====
### What's Changed
* Add dark mode by @ana in #12
* Fix typo by @bo in #13
**Full Changelog**: https://example.org/compare/v1...v2
=====
!!BREAKING CHANGE: the database schema changed and must be migrated first
=====
- feat(api): add search
!!- feat(api)!: remove the v1 endpoints
- fix: handle empty pages
=====
⚠️ This version is only for testing.
- various fixes
=====
# 4.0.0
### ⚠ BREAKING CHANGES
!!* drop support for Node 16
!!* **auth:** tokens expire after one hour
### Features
* faster start
=====
**Breaking:**
!!- Helm value ingress.enabled is now ingress.create
**Improvements:**
- Smaller image
=====
## Upgrade notes
!!Run the migrate command before starting the new version.

## Changes
- New dashboard
=====
## No breaking changes
- Only fixes this time
=====
## Breaking Changes
None.
## Bug Fixes
- Race in the scheduler
=====
### Removed
!!- The XML export
!!- Python 3.8 support
### Added
- JSON export
=====
### Changed
- Improved logs
### Deprecated
- The option timeout_ms; use timeout
=====
!!* **BREAKING** The default port changed from 80 to 8080
* New metrics
=====
!![breaking] Renamed the metric requests to http_requests
[feature] New metric latency
=====
Highlights

This release makes startup twice as fast and fixes twelve bugs.
=====
## Migration guide
!!1. Stop all workers
!!2. Convert the queue with the convert tool
## Other
- Docs
=====
Changes with server 1.25.3

    *) Change: improved detection of misbehaving clients.

    *) Bugfix: in HTTP/3.
=====
:boom: **Breaking changes**
!!- The client no longer retries by default
:bug: **Fixes**
- Timeouts are honored
=====
## 🚨 Action required
!!- Rotate all tokens that were created before this version
## ✨ New
- Audit log
=====
- abc1234 fix: typo
!!- def5678 refactor!: split the package in two
=====
## Incompatible changes
!!* The on-disk format of the cache is new; delete the old one
=====
Version 2.1.0
- Added support for ARM
- The installer no longer breaks on Windows
=====
## What's new
- Breaking news banner can be configured
- Widgets
=====
### Notable changes
- Non-breaking refactoring of the parser
- CLI starts faster
=====
## Important changes
- Faster queries
### Breaking changes
!!- Queries without a limit are rejected
### Other
- Docs
=====
BREAKING CHANGES:
!! * resource/instance: the attribute size is required
!! * provider: minimum version of the runtime is now 1.5
FEATURES:
 * New resource: network
=====
NOTES:
 * This release contains only documentation fixes
=====
## Security
- CVE-2024-0001: fixed an injection
## Breaking
!!- Cookies are now SameSite=Strict, so embedded pages can't log in
=====
# v3.0
## Deprecated and removed
!!- The flag --old is removed
## Fixed
- Memory leak
=====
* chore: bump dependencies
* ci: use a new runner
* docs: improve the guide
=====
## :warning: Breaking changes
!!- Removed the environment variable TOKEN_FILE
## :rocket: Features
- Support for profiles
=====
### Upgrading
!!Set the new option storage.path before you upgrade.
### Bugs
- None known
=====
!!This release drops the old storage engine. Data written by it can't be read any longer.
=====
- Removed unused code
- Removed a duplicate test
- Updated translations
=====
### API changes
#### Breaking
!!- GET /users returns a page instead of an array
#### Compatible
- GET /users accepts a filter
=====
## Release 0.9
!!⚠️ **Breaking change**: plugins have to be rebuilt
- Plugins can have icons
=====
## Fixes
- Fixed a bug which could break existing dashboards
- Fixed removed users still listed
=====
### Attention: manual steps required
!!- Recreate the search index
### Improvements
- Search is faster
=====
!!ATTENTION: the container now runs as user 1000, so volumes must be writable by it
- Smaller image
=====
## Breaking changes
### Storage
!!- The table prefix can't be changed any more
### Network
!!- IPv4-mapped addresses are rejected
## Enhancements
- Retries
=====
## [2.0.0] - 2024-05-01
### Added
- New renderer
### Removed
!!- Support for the old renderer
### Security
- Updated a library
=====
Backwards incompatible changes
------------------------------
!!- The function open() needs a mode

Other changes
-------------
- Speed
=====
## Breaking Changes 🛠
!!* Rename the command sync to apply by @ana in #99
## Other Changes
* Update dependencies by @bot in #100
=====
- perf: cache more
!!- fix(core)!: reject unknown fields in configuration
- test: more cases
=====
## Known issues
- Login can fail with some proxies
=====
## Features
- A setting to allow breaking long lines
## Fixes
- Line breaks in tables
=====
!!- **Breaking change:** the minimum version of PostgreSQL is 14
- Docs for backups
=====
## Before you upgrade
!!- Back up the database
!!- Disable the legacy plugin
## Changes
- Everything else
=====
### Potentially breaking changes
!!- Floats are printed with six digits
### Bug fixes
- A panic on empty input
=====
There are no breaking changes in this release.
- Fix: scrolling
=====
!!feat!: require authentication for metrics

The endpoint /metrics now needs a token.
=====
## Miscellaneous
- Deprecated functions print a warning
- Tests for removed options
=====
## ⬆️ Upgrade considerations
!!- Sessions end with the upgrade, so everyone logs in again
## 🐛 Bug fixes
- Sorting by date
=====
Bug fixes:
- Removed the limit of 100 rows
- No longer breaks when the disk is full
=====
**Breaking Changes**

!!- The package is published as ESM only

**Patch Changes**

- Update types
=====
## Changes
!!- The operator needs Kubernetes 1.27 or later, so older clusters stop working
- Updated the base image
=====
### Major changes
- Redesigned the settings page
- A new icon set
=====
## BREAKING
!!- ⚠️ Removed the v1beta1 API
!!- Helm chart values are restructured, see the migration guide
## Fixes
- Webhook timeouts
=====
## Changelog
- 1a2b3c4 Merge pull request #5
- 2b3c4d5 fix flaky test
- 3c4d5e6 bump version
=====
## Removals
!!- Docker images for 32-bit ARM
## New
- Images are signed
`;

export interface LabelledNote {
  readonly notes: string;
  /** Numbers of the lines that describe breaking changes, starting at 1. */
  readonly breakingLines: readonly number[];
}

export const labelledNotes: readonly LabelledNote[] = text.split('\n=====\n').map((part) => {
  const lines = part.replace(/^\n|\n$/g, '').split('\n');
  return {
    notes: lines.map((line) => line.replace(/^!!/, '')).join('\n'),
    breakingLines: lines.flatMap((line, index) => (line.startsWith('!!') ? [index + 1] : [])),
  };
});
