import type { IAuthenticateGeneric, ICredentialTestRequest, ICredentialType, Icon, INodeProperties } from 'n8n-workflow'

export class NamewrightApi implements ICredentialType {
  name = 'namewrightApi'
  displayName = 'Namewright API'
  icon: Icon = { light: 'file:../icons/namewright.svg', dark: 'file:../icons/namewright.dark.svg' }
  documentationUrl = 'https://github.com/namewright/namewright/tree/main/integrations/n8n#credentials'

  properties: INodeProperties[] = [
    {
      displayName: 'Base URL',
      name: 'baseUrl',
      type: 'string',
      default: '',
      required: true,
      placeholder: 'e.g. https://names.example.com',
      description: 'The address of your Namewright service, without /v1',
    },
    {
      displayName: 'API Key',
      name: 'apiKey',
      type: 'string',
      typeOptions: { password: true },
      default: '',
      required: true,
      description: 'A key with the scopes generate and domains:check',
    },
  ]

  authenticate: IAuthenticateGeneric = {
    type: 'generic',
    properties: { headers: { Authorization: '=Bearer {{$credentials.apiKey}}' } },
  }

  // It costs no quota, and needs the scope domains:check, as the checks do.
  test: ICredentialTestRequest = {
    request: { baseURL: '={{$credentials.baseUrl}}', url: '/v1/tlds' },
  }
}
