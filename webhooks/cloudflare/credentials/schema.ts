import { choice, flag, type KubeObject, moment, object, resource, type Shape, text } from '../../kit/schema.ts'
import { nameText, statusOf, textsOfStatus } from '../fields.ts'
import { cloudflareResource } from '../names.ts'

const key = (doc: string, value: string) => text({ doc, maxLength: 253, default: value })

const credentials = object(
  {
    spec: object(
      {
        accountId: text({ doc: 'Id of the account.', minLength: 1, maxLength: 64 }),
        secretRef: object(
          { name: nameText('Name of the Secret.') },
          {
            namespace: nameText('Its namespace; that of the installation when absent.'),
            apiTokenKey: key('Key of the token.', 'CLOUDFLARE_API_TOKEN'),
            apiKeyKey: key('Key of the global API key.', 'CLOUDFLARE_API_KEY'),
            emailKey: key('Key of the address of the global API key.', 'CLOUDFLARE_EMAIL'),
          },
          'The Secret with the token, or with key and address.',
        ),
      },
      {
        accountName: text({ doc: 'Name of the account, for people.', maxLength: 255 }),
        authType: choice(['apiToken', 'globalAPIKey'], { doc: 'What the Secret holds.', default: 'apiToken' }),
        defaultDomain: text({ doc: 'Domain of names without one.', maxLength: 253 }),
        isDefault: flag({ doc: 'Whether objects that name no credentials use these.', default: false }),
      },
      'An account and a Secret.',
    ),
  },
  {
    status: statusOf({
      ...textsOfStatus('accountName'),
      validated: flag({ doc: 'Whether Cloudflare took them.' }),
      lastValidatedTime: moment({ doc: 'When it did.' }),
    }),
  },
)
export type CloudflareCredentials = KubeObject & Shape<typeof credentials>
export const CREDENTIALS = resource(
  cloudflareResource('CloudflareCredentials', 'cloudflarecredentials', 'Cluster'),
  credentials,
)
