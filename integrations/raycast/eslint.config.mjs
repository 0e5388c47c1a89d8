import raycast from '@raycast/eslint-config'

export default raycast
