import { Select, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import type { ChannelFormValues } from './channel-values.ts';

/**
 * Fields for the requests of a generic webhook: the methods, the body format, and the path that closes an
 * item.
 */
export function RequestFormFields({ form }: { form: UseFormReturnType<ChannelFormValues> }) {
  return (
    <>
      <Select
        label="Method"
        description="Use PUT for APIs whose URL contains an ID. The URL can contain {{ event_id }}."
        data={['POST', 'PUT']}
        allowDeselect={false}
        {...form.getInputProps('request_method')}
      />
      <Select
        label="Body format"
        data={[
          { value: 'json', label: 'JSON' },
          { value: 'form', label: 'Form fields' },
        ]}
        allowDeselect={false}
        {...form.getInputProps('body_format')}
      />
      <TextInput
        label="Closing path"
        description="Resolved alerts are sent to this path on the host of the URL, for example /v2/alerts/{{ alert.id }}/close. Leave empty to send them to the URL."
        spellCheck={false}
        {...form.getInputProps('closing_path')}
      />
      {form.values.closing_path.trim() !== '' && (
        <Select
          label="Closing method"
          data={['POST', 'PUT', 'PATCH', 'DELETE']}
          allowDeselect={false}
          {...form.getInputProps('closing_method')}
        />
      )}
    </>
  );
}
