export const isMocked = process.env.NODE_ENV !== 'production'
