import { defineTool } from '../tool.ts';

export const getCaller = defineTool({
  name: 'get_caller',
  title: 'Get the organization and role',
  description:
    'Returns the organization whose data the tools return, and the role and credential that they use. Other organizations are never included.',
  input: {},
  async run({ api, server }) {
    return { caveats: [], server, ...(await api.call('getCaller')) };
  },
});
