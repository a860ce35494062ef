import type { Schemas } from '../../../../src/generated/client-api.ts';
import { ApiCallError, api } from '../../api/session.ts';
import { toFormField } from './software-configuration.ts';

const pollMs = 300;

/**
 * Creates all resources of a configuration in one transaction. After a lost response, it can be called again,
 * because the existing resources then match the configuration.
 *
 * @returns The ID of the alert configuration.
 */
export async function createSoftware(document: Schemas['ConfigurationDocument']): Promise<number> {
  const plan = await planCreation(document);
  if (plan.steps.length > 0) {
    const { fingerprint } = plan;
    let apply = await api.call('applyConfiguration', { query: { fingerprint }, body: document });
    while (apply.status === 'in_progress') {
      await new Promise((resolve) => setTimeout(resolve, pollMs));
      apply = await api.call('getConfigurationApply', { path: { id: apply.id } });
    }
    if (apply.status === 'failed') throw failureOf(apply.error);
  }
  return findConfig(String(document.alert_configs?.[0]?.['name']));
}

/**
 * Plans a configuration and rejects names that are already used, because applying it would update the
 * existing resources.
 */
async function planCreation(
  document: Schemas['ConfigurationDocument'],
): Promise<Schemas['ConfigurationPlan']> {
  const plan = await api.call('planConfiguration', { query: {}, body: document }).catch((error: unknown) => {
    throw error instanceof ApiCallError ? withFormFields(error) : error;
  });
  const entries = Object.entries(document).flatMap(([section, list]) =>
    Array.isArray(list) ? list.map((_, index) => `${section}.${index}`) : [],
  );
  const created = new Set(
    plan.steps.filter(({ action }) => action === 'create').map(({ section, index }) => `${section}.${index}`),
  );
  const taken = plan.steps.length === 0 ? [] : entries.filter((entry) => !created.has(entry));
  if (taken.length > 0) throw nameTakenError(taken);
  return plan;
}

/** Returns an error in the same format as a validation error of the server. */
function nameTakenError(entries: readonly string[]): ApiCallError {
  const errors = entries.map((entry) => ({
    field: toFormField(`${entry}.name`),
    message: 'This name is already used. Enter another one.',
  }));
  return invalidFields(errors, 'Some names are already used.');
}

function withFormFields(error: ApiCallError): ApiCallError {
  if (error.code !== 'validation_failed') return error;
  const errors = error.errors.map(({ field, message }) => ({ field: toFormField(field), message }));
  return invalidFields(errors, error.detail, error);
}

function invalidFields(errors: ApiCallError['errors'], detail: string, cause?: ApiCallError): ApiCallError {
  const status = 400;
  const requestId = cause?.requestId ?? null;
  const title = 'The request is invalid.';
  const body = {
    status,
    title,
    detail,
    errors,
    code: 'validation_failed',
    request_id: requestId ?? '',
  };
  return new ApiCallError('validation_failed', detail, {
    status,
    requestId,
    body: body as NonNullable<ApiCallError['body']>,
    ...(cause && { cause }),
  });
}

function failureOf(error: Schemas['ConfigurationApply']['error']): ApiCallError {
  const { code, message } = error ?? { code: 'interrupted', message: 'The server stopped.' };
  const known = code === 'interrupted' ? 'unavailable' : (code as ApiCallError['code']);
  return new ApiCallError(known, `${message} Nothing was added, and the form keeps what you entered.`, {
    status: 409,
    requestId: null,
  });
}

async function findConfig(name: string): Promise<number> {
  const { items } = await api.call('listAlertConfigs', {
    query: { q: name, limit: 200, sort: '-created_at' },
  });
  const config = items.find((each) => each.name === name);
  if (!config)
    throw failureOf({
      code: 'not_found',
      message: 'The new monitor was deleted.',
      section: null,
      index: null,
    });
  return config.id;
}
