import type { TemplateCheck } from '../../domain/templates/check-template.ts';
import type { TemplateError } from '../../domain/templates/template-error.ts';
import { ApiError, type FieldError } from '../../platform/errors.ts';
import {
  type Sandbox,
  SandboxBusyError,
  SandboxClosedError,
  SandboxMemoryError,
  SandboxTimeoutError,
} from '../../platform/sandbox/index.ts';
import type { checkEach, TemplateToCheck } from './template-check-job.ts';

export type TemplateSandbox = Pick<Sandbox, 'run'>;

const jobModule = new URL('./template-check-job.ts', import.meta.url);

/**
 * Checks if templates can be saved, and returns the results in the order of the templates. The check runs in
 * the sandbox, because parsing a malicious text of 32 KiB can take a second.
 * @throws ApiError 503 if the sandbox is full.
 */
export async function checkTemplates(
  sandbox: TemplateSandbox,
  organizationId: number,
  templates: readonly TemplateToCheck[],
): Promise<TemplateCheck[]> {
  if (templates.length === 0) return [];
  const job = () =>
    sandbox.run<readonly TemplateToCheck[], ReturnType<typeof checkEach>>(jobModule, 'checkEach', templates, {
      fairKey: String(organizationId),
    });
  return runInSandbox(job, (error) => templates.map(() => ({ ok: false, errors: [error] })));
}

/**
 * Runs a sandbox job on a template. If the sandbox stops the job, this is reported as an error of the
 * template.
 */
export async function runInSandbox<Output>(
  job: () => Promise<Output>,
  whenStopped: (error: TemplateError) => Output,
): Promise<Output> {
  try {
    return await job();
  } catch (error) {
    if (error instanceof SandboxTimeoutError || error instanceof SandboxMemoryError) {
      return whenStopped({
        code: 'too_much_work',
        message: `the template ${error.message}`,
        line: null,
        column: null,
      });
    }
    if (error instanceof SandboxBusyError || error instanceof SandboxClosedError) {
      throw new ApiError('unavailable', 'Too many concurrent template checks.', {
        retryAfterSeconds: 1,
        cause: error,
      });
    }
    throw error;
  }
}

/** Converts the errors of a template to errors of the field that contains it. */
export function templateFieldErrors(field: string, check: TemplateCheck): FieldError[] {
  if (check.ok) return [];
  return check.errors.map(({ message, line, column }) => ({
    field,
    message: line === null ? message : `line ${line}, column ${column ?? 1}: ${message}`,
  }));
}
